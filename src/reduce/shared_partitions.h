// reduce: keys of all workers of a group of CPUs, each of them once, while they map.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/record_folder.h"
#include "store/overflow_buffer.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// A table of each worker's own has every key that the worker meets: many workers have rare keys
// many times, in memory and to be merged. Here each key lies once, in the table of its partition,
// which one worker at a time fills. Workers gather records for each partition before they come
// (SharedWriter), so that they seldom meet.
class SharedPartitions {
 public:
  // `expected_keys`: in all partitions, by the sample; 0: unknown. `shares`: of them, by class.
  SharedPartitions(const StateLayout &layout, int bits, i64 expected_keys,
                   const std::array<double, 3> &shares);
  SharedPartitions(const SharedPartitions &) = delete;

  int bits() const { return bits_; }
  i64 count() const { return std::ssize(parts_); }

  // Groups records of one partition and folds their values, which follow their keys. Hashes lack
  // the bits of the partition. `states` has room for each record. False, and nothing is done: it
  // is closed. Any thread.
  template <typename Key>
  bool fold(i64 partition, const GatheredRecords<Key> &records, State **states);

  // Merges the groups of one partition, whose states then belong to it. Workers may merge into
  // different partitions at the same time.
  void merge(i64 partition, const Groups &groups);

  // Nothing is folded any more. Returns whether this call has closed it. Any thread.
  bool close() { return !closed_.exchange(true); }
  bool is_closed() const { return closed_; }
  // Moves all keys, with their states, to a buffer, which is spilled whenever it takes so many
  // bytes. REQUIRES: closed, or nothing is folded or merged meanwhile
  Status stage(OverflowBuffer *to, i64 most_bytes);

  // Of memory, about. Any thread.
  i64 used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

  // When all workers have folded.
  i64 records() const;
  // Hashes lack the partition's bits.
  PartitionTables *tables(i64 partition) { return &part(partition).tables; }

 private:
  struct Part {
    explicit Part(i64 state_bytes) : tables(state_bytes, KeyBytes::copied) {}

    std::mutex mutex;
    PartitionTables tables;
    Arena arena;  // of states that grow
    i64 bytes = 0;
    i64 records = 0;
  };

  void stage(i64 partition, OverflowBuffer *to);
  void count_bytes(Part *part);
  Part &part(i64 partition) { return *parts_[static_cast<size_t>(partition)]; }

  const StateLayout &layout_;
  const int bits_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::atomic<bool> closed_{false};
  std::atomic<i64> used_bytes_{0};
};

}  // namespace mrc
