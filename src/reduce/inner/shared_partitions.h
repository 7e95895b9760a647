// reduce: tables that all workers of a group of CPUs share while they map.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/inner/record_folder.h"
#include "store/overflow_buffer.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// A table per worker has every key that the worker meets: rare keys are in the tables of many
// workers, which costs memory and merging. Here each key is once in the table of its partition,
// which one worker at a time fills. Workers gather records for each partition first (SharedWriter),
// so that they seldom wait for each other.
class SharedPartitions {
 public:
  // `expected_keys` is the estimate for all partitions by the sample; 0: unknown. `shares` are the
  // shares of the key classes.
  SharedPartitions(const StateLayout &layout, int bits, i64 expected_keys,
                   const std::array<double, 3> &shares);
  SharedPartitions(const SharedPartitions &) = delete;

  int bits() const { return bits_; }
  i64 count() const { return std::ssize(parts_); }

  // Groups the records of one partition and folds their values, which follow their keys. Hashes
  // lack the bits of the partition. `states` has room for each record. Returns false, and does
  // nothing, if the partitions are closed. Any thread.
  template <typename Key>
  bool fold(i64 partition, const GatheredRecords<Key> &records, State **states);

  // Merges the groups of one partition, which takes over their states. Workers may merge into
  // different partitions at the same time.
  void merge(i64 partition, const Groups &groups);

  // Ends folding. Returns true if this call has closed the partitions. Any thread.
  bool close() { return !closed_.exchange(true); }
  bool is_closed() const { return closed_; }
  // Moves all keys, with their states, to a buffer, which is spilled whenever it holds
  // `most_bytes`. REQUIRES: closed, or nothing is folded or merged meanwhile
  Status stage(OverflowBuffer *to, i64 most_bytes);

  // Approximate memory in use. Any thread.
  i64 used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

  // Number of folded records. REQUIRES: all workers have folded
  i64 records() const;
  // Tables of a partition. Their hashes lack its bits.
  PartitionTables *tables(i64 partition) { return &part(partition).tables; }

 private:
  struct Part {
    explicit Part(i64 state_bytes) : tables(state_bytes, KeyBytes::copied) {}

    std::mutex mutex;
    PartitionTables tables;
    Arena arena;  // states that grow
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
