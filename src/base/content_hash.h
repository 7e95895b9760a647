// A hash of a source's bytes that workers compute in any pieces and any order, and that grows
// with the source: the sum over its 8-byte words w[i] of w[i] * x^i modulo 2^61 - 1.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// Words are little-endian and lie at multiples of 8 from the start of the source. Missing bytes of
// the last word count as zero, so zeros at the end do not change the hash: compare lengths, too.
// Two different contents of n words have equal hashes for at most n of the 2^61 values of x. If x
// is random and secret, no input can be made to collide. Immutable; thread safe.
class ContentHash {
 public:
  // Derives x from `base`, any number.
  explicit ContentHash(u64 base);

  // Returns the share that `bytes`, at `offset` of their source, contribute to the hash. Pieces may
  // begin and end at any byte.
  u64 of(i64 offset, Bytes bytes) const;
  // Adds the shares of two pieces that do not overlap.
  static u64 join(u64 a, u64 b);

 private:
  static constexpr i64 kBlock = 128;  // words

  u64 power(u64 exponent) const;
  u64 of_words(const char *words, i64 count) const;
  u64 of_blocks(const char *words, i64 blocks) const;

  std::array<u64, kBlock> low_;  // x^0, x^1 ...
  std::array<u64, 64> squared_;  // x^1, x^2, x^4, x^8 ...
};

}  // namespace mrc
