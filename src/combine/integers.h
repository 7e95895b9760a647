// combine: reducers of plain integers, for jobs with a mapper that makes them.
#pragma once

#include "combine/combine.h"

#include <span>
#include <string_view>

namespace mrc {

// "count"; "sum", "min" and "max" of a column of MRC_INTEGER, exact, without missing ones.
// null: there is none of that name.
const Reducer *builtin_reducer(std::string_view name);
// All of them.
std::span<const Reducer *const> builtin_reducers();
// The column that shows it. REQUIRES: builtin_reducer() returned it
Column builtin_column(const Reducer *reducer, i64 part);

}  // namespace mrc
