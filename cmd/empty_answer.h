// Why a job has no row.
#pragma once

#include "cmd/compile.h"

#include <string>

namespace mrc {

// Returns a sentence for the user; "" if there are rows, if the job is one that is asked for its
// exit status, or if the reason is not known.
std::string reason_of_empty_answer(const Compiled &compiled, const Report &report);

}  // namespace mrc
