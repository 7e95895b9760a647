// combine: how many different keys there were, about, in 16 KiB.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// HyperLogLog over 64-bit hashes. The estimate is within standard_error() in two
// cases of three, and within three times that nearly always, whether there were 10^3
// keys or 10^18; of fewer it may miss one or two. It depends on the set of hashes, and on nothing
// else: not on their order, nor on how they were added and merged.
//
// Plain data: all zero bytes are the empty set, the identity of merge, and a copy of
// the bytes is a copy. Not thread safe; one owner.
class HyperLogLog {
 public:
  static constexpr int kPrecision = 14;
  static constexpr i64 kRegisters = i64{1} << kPrecision;

  // Of base/hash.h, all with the same seed: they are mixed once more.
  void add(const u64 *hashes, i64 n);
  // The union. Associative, commutative, idempotent.
  void merge(const HyperLogLog &other);

  i64 estimate() const;
  // Of an estimate, relative to the truth: 0.0081.
  static double standard_error();

 private:
  std::array<u8, kRegisters> registers_{};
};

}  // namespace mrc
