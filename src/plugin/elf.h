// Is a file a shared object for this machine? What dlopen says of one that is not is hard
// to understand.
#pragma once

#include "base/status.h"

#include <string>

namespace mrc {

// The error is complete: "PATH: is ...; what to do".
Status check_shared_object(const std::string &path);

}  // namespace mrc
