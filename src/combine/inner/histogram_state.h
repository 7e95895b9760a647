// The state of a histogram, and the numbering of its logarithmic scale.
#pragma once

#include "combine/histogram.h"
#include "combine/inner/fine_bins.h"

namespace mrc {

struct Histogram {
  FineBins bins;
  u64 numbers;
  i64 places;  // largest number of decimal places, without trailing zeros
  u64 missing;
};
inline Histogram *histogram(State *own) { return reinterpret_cast<Histogram *>(own); }
inline const Histogram *histogram(const State *own) {
  return reinterpret_cast<const Histogram *>(own);
}

// Steps number the values {1, 2, 5} * 10^n: 3n, 3n + 1, 3n + 2.
constexpr i64 kStepsOfTen = 3;
constexpr i64 kNice[kStepsOfTen] = {1, 2, 5};

// Bin 0 of a logarithmic scale is zero. Bin kFirstStep + s is from step s to the next, and its
// negative is its mirror image. Steps of doubles are within 1,100.
constexpr i64 kFirstStep = 2000;

}  // namespace mrc
