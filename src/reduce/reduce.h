// reduce: the states of one key, from all workers, become one row.
#pragma once

#include "combine/combine.h"
#include "group/group.h"

#include <functional>
#include <memory>
#include <span>

namespace mrc {

// Takes finished groups: the key is valid during the call if it is short, and as
// long as the workers' groups if it is of class KeyRef.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  virtual void take(Bytes key, const State *state) = 0;
};

// How many top bits of the hash tell partitions apart: enough that the workers
// share them out evenly and that one partition's table stays in the L2 cache.
int choose_partition_bits(std::span<const std::unique_ptr<Groups>> groups, i64 workers);

// Merges partitions, one after another, in a table of its own that is sized
// before it is filled. One per reducing worker; partitions may be reduced by
// different workers at the same time (Metis 3.3: a column of all map outputs).
class PartitionReducer {
 public:
  PartitionReducer(std::span<const std::unique_ptr<Groups>> groups, int partition_bits,
                   const StateLayout &layout);

  // Hands every key of the partition, once, to `sink`.
  void reduce(i64 partition, GroupSink *sink);

 private:
  template <typename Key>
  void reduce_class(i64 partition, FlatTable<Key> *merged, GroupSink *sink);

  std::span<const std::unique_ptr<Groups>> groups_;
  int bits_;
  const StateLayout &layout_;
  Groups merged_;
};

}  // namespace mrc
