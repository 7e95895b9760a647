// combine: the smallest and the largest value of a kind, as it is written (min and max of times,
// durations, levels, addresses and text).
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values: a key whose order as bytes is that of the values (expr/kind_order.h), and in the part's
// second column the value; records that lack one of them are passed over. Of values that are equal
// by their keys, the smallest as bytes wins, so the order of records does not matter. The state: 32
// bytes, longer texts in the arena.
extern const Reducer kSmallestValue;
extern const Reducer kLargestValue;

// The text of either.
void finish_extreme_value(const Column &column, const State *own, Notation notation,
                          std::string *out);
u64 rank_extreme_value(const Column &column, const State *own);

}  // namespace mrc
