// Checks that a file is a shared object for this machine. The messages of dlopen() for other files
// are hard to understand.
#pragma once

#include "base/status.h"

#include <string>

namespace mrc {

// The error is complete: "PATH: is ...; what to do".
Status check_shared_object(const std::string &path);

}  // namespace mrc
