// Partitions of values by their hash, as id:hash/64 has them.
#pragma once

#include "base/hash.h"
#include "expr/expr.h"

namespace mrc {

// Returns the number of the partition of a value, of `partitions`.
inline i64 hash_partition(Bytes value, i64 partitions) {
  return static_cast<i64>(checksum_bytes(value) % static_cast<u64>(partitions));
}

// Returns the number of partitions if the bucket is of a hash, else 0. `bucket` may be null.
i64 hash_partitions(const Bucket *bucket);

}  // namespace mrc
