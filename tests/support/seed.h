// Where random tests begin.
#pragma once

#include "base/int.h"

#include <atomic>
#include <cstdlib>

namespace mrc {

// Whether this test has asked for a seed: then it prints it if it fails (print_seed.cc).
inline std::atomic<bool> is_seed_taken = false;

// Fixed, or from the environment to repeat or extend a search.
inline u64 first_seed() {
  is_seed_taken = true;
  const char *seed = std::getenv("MRC_SEED");
  return seed == nullptr ? 20240229 : std::strtoull(seed, nullptr, 10);
}

// How many times as long as usual tests search that can.
inline i64 rounds() {
  const char *rounds = std::getenv("MRC_ROUNDS");
  return rounds == nullptr ? 1 : std::strtoll(rounds, nullptr, 10);
}

}  // namespace mrc
