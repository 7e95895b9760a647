#include "base/hash.h"

#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>

namespace mrc {

Seed Seed::random() {
  Seed seed;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
    // The kernel has no random numbers in early boot. The clock is worse, and better than a
    // constant.
    u64 now = static_cast<u64>(std::chrono::steady_clock::now().time_since_epoch().count());
    seed = {fold_multiply(now, 0x9E3779B97F4A7C15), fold_multiply(~now, 0xD6E8FEB86659FD93)};
  }
  return seed;
}

u64 hash_bytes(Bytes bytes, Seed seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed.a);
}

u64 checksum_bytes(Bytes bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

u64 checksum_pieces(std::span<const Bytes> pieces) {
  if (pieces.size() == 1) return checksum_bytes(pieces.front());
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (Bytes piece : pieces) XXH3_64bits_update(&state, piece.data(), piece.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace mrc
