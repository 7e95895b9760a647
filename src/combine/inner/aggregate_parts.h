// combine: parts and value columns without duplicates, for files that add aggregates.
#pragma once

#include "combine/combine.h"
#include "expr/expr.h"

#include <vector>

namespace mrc {

// Returns the number of the column, which is added unless there is an equal one.
i64 value_column(const ValueColumn &wanted, std::vector<ValueColumn> *values);

// Returns the number of the part, which is added unless one with the same reducer and columns
// exists. If `seeded`, a new part gets a random Seed as its context.
i64 part_of(Part part, bool seeded, Aggregation *aggregation);

}  // namespace mrc
