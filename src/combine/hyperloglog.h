// Estimated number of different keys, and of different values of a key.
#pragma once

#include "base/int.h"
#include "combine/combine.h"

#include <array>

namespace mrc {

// Estimated number of different keys, in 16 KiB.

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

// Estimated number of different values of a key.

// Counts the different texts of a column, without missing ones. Exact up to 768 values, then within
// HyperLogLog::standard_error(). The state has 16 bytes. A single value needs nothing else; many
// values need 32 KiB.
extern const Reducer kApproximateDistinct;

u64 approximate_distinct_of(const State *own);

}  // namespace mrc
