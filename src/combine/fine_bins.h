// combine: numbers counted by fine bins, whose width follows what is counted.
#pragma once

#include "base/number.h"

#include <string>

namespace mrc {

// digits * 10^-scale, where the scale may be anything.
struct Decimal {
  __int128 digits;
  i64 scale;
};
// Of what has more digits than a decimal: the shortest decimal that reads back as its
// nearest double. REQUIRES: is_number(number)
Decimal decimal_of(Number number);
// The number of bins of 10^exponent below it; false if that is not within kFarthestBin.
constexpr i64 kFarthestBin = i64{1} << 61;
bool find_bin(const Decimal &decimal, i64 exponent, i64 *index);

// Bin i is from i * 10^exponent, which is in it, to (i + 1) * 10^exponent, which is not.
// The exponent is the least with which all bins from the first that is in use to the last
// are no more than kMost, and no index is beyond kFarthestBin: it and the counts depend on
// what was counted, and not on its order. All zero bytes: nothing was counted.
//
// Bins lie in a ring, so that the range grows in both directions and nothing moves. The
// ring doubles as the range grows: a state of few bins is small in memory, too.
struct FineBins {
  static constexpr i64 kMost = i64{1} << 14;

  i64 exponent;
  i64 first, last;  // in use
  u64 *counts;      // of the arena; null: there are none
  i64 mask;         // of the ring: its size, a power of two, less one

  bool empty() const { return counts == nullptr; }
  u64 &at(i64 index) { return counts[index & mask]; }
  u64 at(i64 index) const { return counts[index & mask]; }

  void add(const Decimal &decimal, Arena *arena);
  // To bin `index`, with the exponent 0 for ever: the caller's bins, in place of those of
  // the same width. REQUIRES: they are within kMost of each other
  void add_bin(i64 index, Arena *arena);
  // May take over the counts of `other`.
  void merge(const FineBins &other, Arena *arena);

  void save(std::string *out) const;
  // REQUIRES: empty()
  void load(Bytes *saved, Arena *arena);

 private:
  void begin(i64 index, i64 at_exponent, Arena *arena);
  void make_room(i64 from, i64 to, i64 at_exponent, Arena *arena);
  void use(i64 from, i64 to, Arena *arena);
  void coarsen(i64 by);
};

}  // namespace mrc
