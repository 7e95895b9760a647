// combine: estimated number of different keys, in 16 KiB.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// HyperLogLog over 64-bit hashes. The error is within standard_error() in two cases of three, and
// within three times that nearly always, for 10^3 keys as for 10^18. For fewer keys the estimate
// may be off by one or two. It depends only on the set of hashes, and not on the order in which
// they were added and merged.
//
// Plain data: all zero bytes are the empty set, the identity of merge, and a copy of the bytes is a
// copy. Not thread safe; one owner.
class HyperLogLog {
 public:
  static constexpr int kPrecision = 14;
  static constexpr i64 kRegisters = i64{1} << kPrecision;

  // Adds hashes of base/hash.h. REQUIRES: all have the same seed
  void add(const u64 *hashes, i64 n);
  // Makes this the union. Associative, commutative, idempotent.
  void merge(const HyperLogLog &other);

  i64 estimate() const;
  // Relative standard error of an estimate: 0.0081.
  static double standard_error();

 private:
  std::array<u8, kRegisters> registers_{};
};

}  // namespace mrc
