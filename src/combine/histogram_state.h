// What a histogram's state is, and how its logarithmic scale is numbered.
#pragma once

#include "combine/fine_bins.h"
#include "combine/histogram.h"

namespace mrc {

struct Histogram {
  FineBins bins;
  u64 numbers;
  i64 places;  // decimal places: the most of any number, without trailing zeros
  u64 missing;
};
inline Histogram *histogram(State *own) { return reinterpret_cast<Histogram *>(own); }
inline const Histogram *histogram(const State *own) {
  return reinterpret_cast<const Histogram *>(own);
}

// {1, 2, 5} * 10^n, by steps: 3 n, 3 n + 1, 3 n + 2.
constexpr i64 kStepsOfTen = 3;
constexpr i64 kNice[kStepsOfTen] = {1, 2, 5};

// Bins of a logarithmic scale: 0 is zero; kFirstStep + s is from step s to the next, and
// the negative of that its mirror image. Steps of doubles are within 1,100.
constexpr i64 kFirstStep = 2000;

}  // namespace mrc
