// Where random tests begin.
#pragma once

#include "base/int.h"

#include <cstdlib>

namespace mrc {

// Fixed, or from the environment to repeat or extend a search.
inline u64 first_seed() {
  const char *seed = std::getenv("MRC_SEED");
  return seed == nullptr ? 20240229 : std::strtoull(seed, nullptr, 10);
}

// How many times as long as usual tests search that can.
inline i64 rounds() {
  const char *rounds = std::getenv("MRC_ROUNDS");
  return rounds == nullptr ? 1 : std::strtoll(rounds, nullptr, 10);
}

}  // namespace mrc
