// combine: reducers of plain integers, for jobs whose mapper makes them.
#pragma once

#include "combine/combine.h"

#include <span>
#include <string_view>

namespace mrc {

// Returns the reducer "count", or "sum", "min" or "max" of a column of MRC_INTEGER. Results are
// exact and skip missing values. Null if there is none of that name.
const Reducer *builtin_reducer(std::string_view name);
std::span<const Reducer *const> builtin_reducers();
// Makes the column that shows the reducer. REQUIRES: builtin_reducer() returned it
Column builtin_column(const Reducer *reducer, i64 part);

}  // namespace mrc
