// What random tests choose.
#pragma once

#include "base/int.h"

#include <random>
#include <vector>

namespace mrc {

using Random = std::mt19937_64;

inline i64 pick(Random &random, i64 least, i64 most) {
  return std::uniform_int_distribution<i64>(least, most)(random);
}
inline bool one_in(Random &random, i64 n) { return pick(random, 1, n) == 1; }
template <typename T>
T one_of(Random &random, const std::vector<T> &all) {
  return all[static_cast<size_t>(pick(random, 0, std::ssize(all) - 1))];
}

}  // namespace mrc
