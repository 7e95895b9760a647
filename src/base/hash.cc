#include "base/hash.h"

#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>

namespace mrc {

Seed Seed::random() {
  Seed seed;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
    // Early boot only: the clock is worse than random, and better than a constant.
    u64 now = static_cast<u64>(std::chrono::steady_clock::now().time_since_epoch().count());
    seed = {fold_multiply(now, 0x9E3779B97F4A7C15), fold_multiply(~now, 0xD6E8FEB86659FD93)};
  }
  return seed;
}

u64 hash_bytes(Bytes bytes, Seed seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed.a);
}

}  // namespace mrc
