// Hashes of keys and of the content of sources.
//
// The hash of keys has 64 bits, and is seeded afresh for every job, so that no input can be
// prepared with keys that collide. The top bits choose partition and slot.
#pragma once

#include "base/int.h"

#include <array>
#include <span>

namespace mrc {

struct Seed {
  u64 a = 0;
  u64 b = 0;

  // Draws a seed from the kernel's random numbers.
  static Seed random();
  bool operator==(const Seed &) const = default;
};

// The seed of hashes that are printed or kept, as in sketches.
inline constexpr Seed kFixedSeed = {0x9E3779B97F4A7C15, 0xD1B54A32D192ED03};

// Both halves of the 128-bit product, folded: every bit of a and b reaches the
// result in one multiplication.
inline u64 fold_multiply(u64 a, u64 b) {
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}

// Hashes any number of bytes (XXH3). Use fold_multiply on key images of fixed size.
u64 hash_bytes(Bytes bytes, Seed seed);

// Computes XXH3 without a seed, as `xxhsum -H3` prints it: finds damage, not malice.
u64 checksum_bytes(Bytes bytes);
// Computes the checksum of the concatenated pieces.
u64 checksum_pieces(std::span<const Bytes> pieces);

// A hash of a source's bytes that workers compute in any pieces and any order, and that grows
// with the source: the sum over its 8-byte words w[i] of w[i] * x^i modulo 2^61 - 1.

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
