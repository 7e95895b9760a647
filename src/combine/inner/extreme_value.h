// combine: the smallest and the largest value of a kind, as it is written (min and max of times,
// durations, levels, addresses and text).
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values are a key, whose bytes order as the values do (expr/kind_order.h), and in the part's
// second column the value as written. Records without either are skipped. If keys are equal, the
// smallest as bytes wins, so the order of records does not matter. The state has 32 bytes; longer
// texts are in the arena.
extern const Reducer kSmallestValue;
extern const Reducer kLargestValue;

// Column::finish and Column::rank of these reducers.
void finish_extreme_value(const Column &column, const State *own, Notation notation,
                          std::string *out);
u64 rank_extreme_value(const Column &column, const State *own);

}  // namespace mrc
