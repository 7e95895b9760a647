// The hash of keys: 64 bits, seeded afresh for every job, so that no input can be
// prepared with keys that collide. The top bits choose partition and slot.
#pragma once

#include "base/int.h"

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

}  // namespace mrc
