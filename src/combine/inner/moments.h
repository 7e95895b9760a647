// combine: count, sum, smallest and largest number, in one state.
#pragma once

#include "combine/figure.h"

namespace mrc {

// The state has 48 bytes. Values that are not numbers are skipped.
extern const Reducer kMoments;

// Without numbers, the sum is 0 and the others are nothing.
Figure sum_of(const State *own);
Figure mean_of(const State *own);
Figure smallest_of(const State *own);
Figure largest_of(const State *own);
Figure range_of(const State *own);  // max minus min

// The state has 56 bytes: the sum of the numbers and the sum of their squares.
extern const Reducer kVariance;

// The sample variance, divided by n - 1, and its root; nothing for fewer than two numbers.
Figure variance_of(const State *own);
Figure deviation_of(const State *own);

}  // namespace mrc
