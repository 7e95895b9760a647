// combine: parts of an aggregation and columns of values, each once. For files that add aggregates.
#pragma once

#include "combine/combine.h"
#include "expr/values.h"

#include <vector>

namespace mrc {

// The number of the column, which is added if there is none like it.
i64 value_column(const ValueColumn &wanted, std::vector<ValueColumn> *values);

// The number of the part that folds the same, or of a new one. `seeded`: its context is to be a
// Seed, which is made.
i64 part_of(Part part, bool seeded, Aggregation *aggregation);

}  // namespace mrc
