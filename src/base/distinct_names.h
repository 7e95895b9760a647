// base: names of columns, made different from one another.
#pragma once

#include "base/int.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Names of which each is another: a name that is repeated gets _2, _3 or what else no name is.
std::vector<std::string> distinct_names(std::span<const std::string> names);

}  // namespace mrc
