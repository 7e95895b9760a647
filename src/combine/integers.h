// Reducers that mrc has for the jobs of plugins.
#pragma once

#include "mrc_plugin.h"

namespace mrc {

// "count"; "sum", "min", "max" of integers. Null: there is none of this name.
const mrc_reducer *builtin_reducer(const char *name);

}  // namespace mrc
