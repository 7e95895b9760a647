// Inputs that are not files, but conditions or fields, which belong to options.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// An error if an input does not exist and is a condition, such as status==200, or a field of
// the inputs that do exist. Any other one that is missing is for the planner to report. For
// verbs that read fields, after `prepare`.
Status check_inputs(const Request &request);

}  // namespace mrc
