// A hash of a source's bytes that workers compute in any pieces and any order, and that grows
// with the source: the sum over its 8-byte words w[i] of w[i] * x^i modulo 2^61 - 1.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// Words are little-endian and lie at multiples of 8 from the start of the source; a byte that
// is missing in the last one counts as zero. So zeros at the end do not change the hash: a
// comparison compares lengths, too. Two contents of n words have equal hashes for n of all
// 2^61 values of x at most: a random x, which is kept secret, lets no input be made to collide.
// Immutable; any thread.
class ContentHash {
 public:
  // x is made of `base`, any number.
  explicit ContentHash(u64 base);

  // What `bytes` contribute that lie at `offset` of their source. Pieces may begin and end at
  // any byte.
  u64 of(i64 offset, Bytes bytes) const;
  // Of two pieces that have no byte in common, from what each contributes.
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
