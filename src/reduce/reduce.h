// reduce: folds the states of a key from all workers into one.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/inner/record_folder.h"
#include "reduce/shared_partitions.h"
#include "store/overflow_buffer.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

namespace mrc {

// The output of one worker: its groups, sealed, the memory of their states, and its staged records,
// if any.
struct MapOutput {
  explicit MapOutput(const ContainerSpec &spec) : groups(spec) {}

  // True if there are staged records, in memory or on disk.
  bool has_staged_records() const {
    return overflow && overflow->records() + overflow->spilled_records() > 0;
  }

  Groups groups;
  Arena arena;
  std::unique_ptr<OverflowBuffer> overflow;
};

// True if any output has staged records. Then the reducer's tables copy keys.
bool has_staged_records(std::span<const std::unique_ptr<MapOutput>> outputs);

// Takes finished groups. The state and a short key are valid until flush() returns; a key of class
// KeyRef is valid as long as the workers' groups.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  virtual void take(Bytes key, const State *state) = 0;
  // Processes groups that take() has only stored so far.
  virtual void flush() {}
};

// Passes every group of one worker to `sink`, and flushes it. REQUIRES: the groups are sealed,
// unless they are in flat tables
void take_groups(Groups *groups, GroupSink *sink);

// Passes on a selection of the groups.
class GroupFilter : public GroupSink {
 public:
  // Number of groups that it has not passed on.
  virtual i64 dropped() const = 0;
};

// Chooses the number of top bits of the hash that are the partition: enough for an even share of
// work, and for a partition's table to stay in the L2 cache. Each partition visits the tables of
// all workers, so many workers with few keys get fewer partitions. `keys` is the sum over all
// tables.
int choose_partition_bits(i64 keys, i64 workers);

// Merges partitions, one after another, in a table of its own that is sized before it is filled.
// There is one per reducing worker; workers may reduce different partitions at the same time (Metis
// 3.3: a column of all map outputs).
class PartitionReducer {
 public:
  // `arena` provides memory for states that grow, and must live as long as they do. `shared` has
  // the tables that workers fold into together, one set for each group of CPUs. REQUIRES: `shared`
  // is empty or no records are staged
  PartitionReducer(std::span<const std::unique_ptr<MapOutput>> outputs,
                   std::span<const std::unique_ptr<SharedPartitions>> shared,
                   const StateLayout &layout, Arena *arena, i64 memory_bytes = INT64_MAX);

  // Passes every key of the partition, once, to `sink`, and flushes it. Takes over the workers'
  // states. `make_room` is called after each part of the partition, and may free all states in the
  // arena. REQUIRES: partition.bits is at least the partition bits of overflow buffers
  using MakeRoom = std::function<Status()>;
  Status reduce(
      Partition partition, GroupSink *sink,
      const MakeRoom &make_room = [] { return Status::ok(); });
  // Number of times that keys did not fit in memory and were divided.
  i64 divisions() const { return divisions_; }

 private:
  template <typename Key>
  i64 expected_keys(Partition partition) const;
  void merge_groups(Partition partition);
  void reset_tables(Partition partition);
  void take_shared(Partition partition);
  i64 most_bytes() const { return std::max(memory_bytes_, least_bytes_); }
  Result<bool> fold_overflow(Partition partition);
  Result<bool> fold_overflow(Partition partition, RecordFolder *folder, Arena *states);
  Result<bool> fold_one_key(Partition partition);
  void shrink_states();
  int bits_to_divide(Partition partition) const;
  Status copy_parts(Partition partition, OverflowBuffer *parts);
  void release_tables();
  Status divide(Partition partition, GroupSink *sink, const MakeRoom &make_room);

  const std::span<const std::unique_ptr<MapOutput>> outputs_;
  const std::span<const std::unique_ptr<SharedPartitions>> shared_;
  const StateLayout &layout_;
  Arena *arena_;
  Arena growing_;  // a state that is larger than memory, until arena_ takes it over
  i64 memory_bytes_;
  std::vector<const OverflowBuffer *> staged_;  // those with records
  bool grouped_ = false;                        // there are groups
  i64 divisions_ = 0;
  i64 folded_bytes_ = 0;  // bytes of records that filled the memory
  TableHash hash_;        // hash of the tables
  PartitionTables own_;
  PartitionTables *tables_ = &own_;  // tables of the partition that is being reduced
  template <typename Key>
  struct KeyCount {
    i64 keys = 0;
  };
  ByKeyClass<KeyCount> before_;  // keys of the last partition that had any
  i64 least_bytes_;              // size that fits in any memory
  std::unique_ptr<RecordFolder> folder_;
  Pages block_;  // buffer for a block of a run
};

}  // namespace mrc
