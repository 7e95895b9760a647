// reduce: the states of one key, from all workers, become one row.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/record_folder.h"
#include "reduce/shared_partitions.h"
#include "store/overflow_buffer.h"

#include <functional>
#include <memory>
#include <span>

namespace mrc {

// What one worker has made: its groups, sealed, and the memory of their states; and
// its staged records, if any.
struct MapOutput {
  explicit MapOutput(const ContainerSpec &spec) : groups(spec) {}

  // In memory or on disk.
  bool has_staged_records() const {
    return overflow && overflow->records() + overflow->spilled_records() > 0;
  }

  Groups groups;
  Arena arena;
  std::unique_ptr<OverflowBuffer> overflow;
};

// Whether some of it is staged records: then keys do not stay where they are reduced.
bool has_staged_records(std::span<const std::unique_ptr<MapOutput>> outputs);

// Takes finished groups: the state is valid until flush() returns, and so is the key if it is
// short; it is as long as the workers' groups are if it is of class KeyRef.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  virtual void take(Bytes key, const State *state) = 0;
  // Processes groups that take() has only stored so far.
  virtual void flush() {}
};

// Hands every group of one worker to `sink`, and flushes it. REQUIRES: sealed, if they are not in
// flat tables
void take_groups(Groups *groups, GroupSink *sink);

// Passes on some of the groups.
class GroupFilter : public GroupSink {
 public:
  // How many it has not passed on.
  virtual i64 dropped() const = 0;
};

// How many top bits of the hash tell partitions apart: enough that the workers share them out
// evenly and that one partition's table stays in the L2 cache. For each partition, the tables of
// all workers are visited, so with many workers and few keys it is fewer. `keys`: in all tables.
int choose_partition_bits(i64 keys, i64 workers);

// Merges partitions, one after another, in a table of its own that is sized
// before it is filled. One per reducing worker; partitions may be reduced by
// different workers at the same time (Metis 3.3: a column of all map outputs).
class PartitionReducer {
 public:
  // `arena` takes what growing states need; it must live as long as they do.
  // `shared`: what workers have folded together, by groups of CPUs; empty, or no records are
  // staged.
  PartitionReducer(std::span<const std::unique_ptr<MapOutput>> outputs,
                   std::span<const std::unique_ptr<SharedPartitions>> shared,
                   const StateLayout &layout, Arena *arena, i64 memory_bytes = INT64_MAX);

  // Hands every key of the partition, once, to `sink`, and flushes it. Takes the workers' states
  // over. `make_room` is called when a part of the partition has been handed on, and may take all
  // states out of the arena. REQUIRES: partition.bits is at least that of overflow buffers
  using MakeRoom = std::function<Status()>;
  Status reduce(
      Partition partition, GroupSink *sink,
      const MakeRoom &make_room = [] { return Status::ok(); });
  // How often keys did not fit in memory and were divided.
  i64 divisions() const { return divisions_; }

 private:
  template <typename Key>
  i64 expected_keys(const FlatTable<Key> &table, Partition partition) const;
  void merge_groups(Partition partition);
  void reset_tables(Partition partition);
  void take_shared(Partition partition);
  Result<bool> fold_overflow(Partition partition);
  Result<bool> fold_overflow(Partition partition, RecordFolder *folder, Arena *states);
  Result<bool> fold_one_key(Partition partition);
  void shrink_states();
  Status divide(Partition partition, GroupSink *sink, const MakeRoom &make_room);
  template <typename Reduce>
  static Status reduce_parts(Partition whole, Reduce reduce);

  std::span<const std::unique_ptr<MapOutput>> outputs_;
  std::span<const std::unique_ptr<SharedPartitions>> shared_;
  const StateLayout &layout_;
  Arena *arena_;
  Arena growing_;  // of a state that is larger than memory, until arena_ takes it over
  i64 memory_bytes_;
  bool staged_ = false, grouped_ = false;  // whether there are such records, such groups
  std::optional<Division> division_;  // that is being reduced, of a partition that does not fit
  i64 divisions_ = 0;
  TableHash hash_;  // of the tables
  PartitionTables own_;
  PartitionTables *tables_ = &own_;  // of the partition that is being reduced
  i64 least_bytes_;                  // what fits in any memory
  std::unique_ptr<RecordFolder> folder_;
  Pages block_;  // of a run
};

}  // namespace mrc
