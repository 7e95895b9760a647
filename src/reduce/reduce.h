// reduce: the states of one key, from all workers, become one row.
#pragma once

#include "combine/combine.h"
#include "group/group.h"

#include <functional>
#include <memory>
#include <span>

namespace mrc {

// What one worker leaves behind: its groups, sealed, and the memory of their states.
struct MapOutput {
  explicit MapOutput(const ContainerSpec &spec) : groups(spec) {}

  Groups groups;
  Arena arena;
};

// Takes finished groups: the key is valid during the call if it is short, and as
// long as the workers' groups if it is of class KeyRef.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  virtual void take(Bytes key, const State *state) = 0;
};

// How many top bits of the hash tell partitions apart: enough that the workers
// share them out evenly and that one partition's table stays in the L2 cache.
int choose_partition_bits(i64 keys, i64 workers);

// Merges partitions, one after another, in a table of its own that is sized
// before it is filled. One per reducing worker; partitions may be reduced by
// different workers at the same time (Metis 3.3: a column of all map outputs).
class PartitionReducer {
 public:
  // `arena` takes what growing states need; it must live as long as they do.
  PartitionReducer(std::span<const std::unique_ptr<MapOutput>> outputs, const StateLayout &layout,
                   Arena *arena);

  // Hands every key of the partition, once, to `sink`. Takes the workers' states over.
  void reduce(Partition partition, GroupSink *sink);

 private:
  template <typename Key>
  void reduce_class(Partition partition, FlatTable<Key> *merged, GroupSink *sink);

  std::span<const std::unique_ptr<MapOutput>> outputs_;
  const StateLayout &layout_;
  Arena *arena_;
  FlatTable<Key16> short_;
  FlatTable<Key32> medium_;
  FlatTable<KeyRef> long_;
};

}  // namespace mrc
