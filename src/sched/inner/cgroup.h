// sched: limits that the control groups of this process set.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Reads one limit from the directory of a group; 0 if it has none.
using GroupLimit = i64 (*)(const std::string &folder);

// Returns the smallest limit of the groups of this process and of all their parents, in version 2
// and, for this controller ("cpu"), in version 1; 0 if there is none. `root` replaces "/" in tests.
i64 smallest_limit(const std::string &root, const std::string &controller, GroupLimit version2,
                   GroupLimit version1);

}  // namespace mrc
