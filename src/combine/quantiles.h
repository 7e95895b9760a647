// combine: quantiles of numbers, exact, and near at a fixed price.
#pragma once

#include "combine/figure_column.h"

namespace mrc {

// All numbers of a key, kept as differences (value_list.h): 32 bytes, and some bytes for
// each number from the second on; what outgrows memory is in runs (value_runs.h).
extern const Reducer kNumberList;
// Its Part::bound.
void bound_numbers(const Part &part, State *state);

// The smallest of the numbers than which no less than numerator / denominator of all are
// not above: one that occurs (nearest rank).
Figure quantile_of(const State *own, const ColumnStyle &style);
// What lies at numerator / denominator of the way from the first number to the last, of which each
// is one step from the next: between two numbers, in proportion.
Figure interpolated_quantile_of(const State *own, const ColumnStyle &style);
// The middle one, or what lies half way between the middle two.
Figure median_of(const State *own);

// Numbers by 64 ranges for each doubling, counted (value_counts.h). The context is a Seed.
extern const Reducer kQuantileSketch;

// The same quantile, at most 1 % beside it, to four digits.
Figure near_quantile_of(const State *own, const ColumnStyle &style);

// Of n > 0 values in order, which one has numerator / denominator of them up to it.
u64 nearest_rank(u64 n, const ColumnStyle &style);

}  // namespace mrc
