// combine: counts of numbers in fine bins, whose width adapts to the numbers.
#pragma once

#include "base/number.h"

#include <string>

namespace mrc {

// The number digits * 10^-scale, with any scale.
struct Decimal {
  __int128 digits;
  i64 scale;
};
// If the number has more digits than a decimal holds, returns the shortest decimal that reads back
// as its nearest double. REQUIRES: is_number(number)
Decimal decimal_of(Number number);
// Finds the bin of width 10^exponent that contains the number; false if its index is beyond
// kFarthestBin.
constexpr i64 kFarthestBin = i64{1} << 61;
bool find_bin(const Decimal &decimal, i64 exponent, i64 *index);

// Bin i contains numbers from i * 10^exponent, inclusive, to (i + 1) * 10^exponent, exclusive. The
// exponent is the smallest at which the first to the last used bin are no more than kMost bins, and
// no index is beyond kFarthestBin. Therefore the exponent and the counts do not depend on the order
// of the numbers. All zero bytes are the empty state.
//
// Bins lie in a ring, so that the range grows in both directions and no count moves. The ring
// doubles as the range grows, so that a state of few bins is small.
struct FineBins {
  static constexpr i64 kMost = i64{1} << 14;

  i64 exponent;
  i64 first, last;  // the range of bins in use
  u64 *counts;      // the ring, in the arena; null if empty
  i64 mask;         // size of the ring, a power of two, minus 1

  bool empty() const { return counts == nullptr; }
  u64 &at(i64 index) { return counts[index & mask]; }
  u64 at(i64 index) const { return counts[index & mask]; }

  void add(const Decimal &decimal, Arena *arena);
  // Adds to bin `index` of the caller's own bins, which replace bins of powers of ten: the exponent
  // stays 0. REQUIRES: all indexes are within kMost of each other
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
