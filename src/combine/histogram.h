// combine: how numbers are distributed, by bins that are chosen when all are known.
#pragma once

#include "combine/combine.h"

#include <string>
#include <vector>

namespace mrc {

// How bins are chosen.
struct HistogramSpec {
  bool log = false;  // wider and wider: 1 to 2, to 5, to 10, 20, 50
  i64 most = 20;     // bins, as far as that can be
};

// One of its bins: numbers from `from`, which is in it, to `to`, which is not. Zero alone
// is from 0 to 0.
struct Bin {
  std::string from, to;
  u64 count;
};

// Of a column of numbers: fine bins, up to 128 KiB for each state. For linear bins, and for
// those of a logarithmic scale.
extern const Reducer kHistogram;
extern const Reducer kLogHistogram;
// How many numbers there are.
Column histogram_count_column(i64 part);

u64 numbers_of(const State *own);
// How many records have none.
u64 missing_of(const State *own);

// In order, without the empty ones before the first and after the last number.
// The state is of the reducer that `spec` asks for.
//
// Linear bins have one width, 1, 2 or 5 times a power of ten, and begin at its multiples.
// It is the least with which there are no more than spec.most, but not less than one in
// the last place of the numbers.
//
// Those of a logarithmic scale end at 1, 2 and 5 times powers of ten, or, if they are too
// many, at 1, 10, 100, or at wider steps, and so do negative numbers on their side.
std::vector<Bin> bins_of(const State *own, const HistogramSpec &spec);

}  // namespace mrc
