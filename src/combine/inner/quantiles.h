// combine: exact quantiles of numbers, and approximate ones at a fixed price.
#pragma once

#include "combine/figure.h"

namespace mrc {

// Keeps all numbers of a key as differences (value_list.h): 32 bytes, and some bytes for each
// number from the second on. Numbers that outgrow memory are in runs (value_runs.h).
extern const Reducer kNumberList;
// Part::bound of kNumberList.
void bound_numbers(const Part &part, State *state);

// Returns the smallest number such that at least numerator / denominator of all numbers are not
// above it: a number that occurs (nearest rank).
Figure quantile_of(const State *own, const ColumnStyle &style);
// Returns the number at numerator / denominator of the way from the first number to the last, where
// each is one step from the next. Interpolates linearly between two numbers.
Figure interpolated_quantile_of(const State *own, const ColumnStyle &style);
// Returns the middle number, or the mean of the middle two.
Figure median_of(const State *own);

// Counts numbers in 64 ranges per power of two (value_counts.h). The context is a Seed.
extern const Reducer kQuantileSketch;

// Returns the nearest-rank quantile, with an error of at most 1 %, to four digits.
Figure near_quantile_of(const State *own, const ColumnStyle &style);

// Returns the rank, from 0, of the quantile among n > 0 values in order (nearest rank).
u64 nearest_rank(u64 n, const ColumnStyle &style);

}  // namespace mrc
