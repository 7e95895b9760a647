// base: distinct names for columns.
#pragma once

#include "base/int.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Appends _2, _3 ... to repeated names until all names are distinct.
std::vector<std::string> distinct_names(std::span<const std::string> names);

}  // namespace mrc
