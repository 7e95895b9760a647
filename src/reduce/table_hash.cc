#include "reduce/inner/table_hash.h"

#include "base/hash.h"

namespace mrc {
namespace {

// Newton's iteration: each step doubles the number of correct low bits, which is three at first.
u64 inverse_of(u64 odd) {
  u64 inverse = odd;
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

}  // namespace

TableHash TableHash::mixed(int bits) {
  constexpr u64 kStep = 0xDA942042E4DD58B5;  // odd, so that all factors are odd
  thread_local u64 factor = Seed::random().a | 1;
  TableHash hash(bits);
  hash.factor_ = factor *= kStep;
  hash.inverse_ = inverse_of(hash.factor_);
  return hash;
}

}  // namespace mrc
