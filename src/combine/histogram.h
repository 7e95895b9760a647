// combine: histograms of numbers, with bins that are chosen when all numbers are known.
#pragma once

#include "combine/combine.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// How bins are chosen.
struct HistogramSpec {
  bool log = false;  // bins widen: 1 to 2, to 5, to 10, 20, 50
  i64 most = 20;     // maximum number of bins, if possible
};

// A bin of numbers from `from`, inclusive, to `to`, exclusive. The bin of zero alone is from 0 to
// 0.
struct Bin {
  std::string from, to;
  u64 count;
};

// Reducers of a column of numbers, for linear and logarithmic bins. The state has fine bins of up
// to 128 KiB.
extern const Reducer kHistogram;
extern const Reducer kLogHistogram;
// Makes a column that shows the count of numbers.
Column histogram_count_column(i64 part);

u64 numbers_of(const State *own);
// Number of records without a number.
u64 missing_of(const State *own);

// Returns the bins in order, without empty ones before the first and after the last number.
// REQUIRES: the state is of the reducer that `spec` needs
//
// Linear bins have one width, which is 1, 2 or 5 times a power of ten, and begin at its multiples.
// It is the smallest width that gives at most spec.most bins, and at least one unit in the last
// decimal place of the numbers.
//
// Logarithmic bins end at 1, 2 and 5 times powers of ten, or, if they are too many, at 1, 10, 100,
// or at wider steps. Negative numbers have the mirrored bins.
std::vector<Bin> bins_of(const State *own, const HistogramSpec &spec);

// Returns linear bins of the numbers that `each` passes to the function that it is called with.
using EachNumber = std::function<void(const std::function<void(std::span<const Number>)> &take)>;
std::vector<Bin> linear_bins_of(const EachNumber &each, i64 most);

}  // namespace mrc
