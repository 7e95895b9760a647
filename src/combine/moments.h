// combine: count, sum, smallest and largest of numbers, in one state.
#pragma once

#include "combine/figure.h"

namespace mrc {

// The state: 48 bytes. What is no number is passed over.
extern const Reducer kMoments;

// Of no numbers at all the sum is 0 and the others are nothing.
Figure sum_of(const State *own);
Figure mean_of(const State *own);
Figure smallest_of(const State *own);
Figure largest_of(const State *own);
Figure range_of(const State *own);  // largest less smallest

// The state: 56 bytes, with the sum of numbers and that of their squares.
extern const Reducer kVariance;

// Of a sample: divided by n - 1; nothing for less than two numbers.
Figure variance_of(const State *own);
Figure deviation_of(const State *own);

}  // namespace mrc
