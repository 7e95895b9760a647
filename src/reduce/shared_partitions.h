// reduce: partitions that workers share, and the writer of one worker.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/inner/record_folder.h"
#include "store/overflow_buffer.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// Tables that all workers of a group of CPUs share while they map. A table per worker has
// every key that the worker meets: rare keys are in the tables of many workers, which costs memory
// and merging. Here each key is once in the table of its partition, which one worker at a time
// fills. Workers gather records for each partition first (SharedWriter), so that they seldom wait
// for each other.
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

// Writes the records of one worker to shared partitions. Gathers records by partition, and
// folds a partition's records when there are enough: this takes the lock once for many records, and
// prefetches the slots of their keys. Not thread safe.
class SharedWriter {
 public:
  // `width` is the number of words of values per record. `otherwise` returns the buffer for records
  // after the partitions are closed. REQUIRES: all outlive the writer
  SharedWriter(SharedPartitions *into, i64 width, i64 first_partition,
               std::function<OverflowBuffer &()> otherwise);

  // Take the records of the batch without a state, all records, or one. REQUIRES: their values do
  // not borrow
  template <typename Key>
  void add_missing(const Batch<Key> &batch, State *const *states);
  template <typename Key>
  void add_all(const Batch<Key> &batch);
  template <typename Key>
  void add(const Batch<Key> &batch, i64 i);
  // Folds a record at once, because its values point to memory of the batch. Returns false if the
  // partitions are closed.
  template <typename Key>
  bool add_borrowed(const Batch<Key> &batch, i64 i);
  // Folds all gathered records.
  void flush();

 private:
  // Gathered records of one key class, side by side, with room for room_ records of each partition.
  template <typename Key>
  struct Gathered {
    std::vector<u64> words;
    std::vector<u64 *> ends;  // end of the records of each partition; empty before the first record
  };
  template <typename Key>
  Gathered<Key> &gathered();
  template <typename Key>
  void put(const Batch<Key> &batch, size_t i, Gathered<Key> *to);
  template <typename Key>
  i64 stride() const {
    return 1 + i64{sizeof(Key) / sizeof(u64)} + width_;
  }
  template <typename Key>
  u64 *begin_of(Gathered<Key> *of, i64 partition) const {
    return of->words.data() + partition * room_ * stride<Key>();
  }
  template <typename Key>
  void fold(Gathered<Key> *from, i64 partition);
  template <typename Key>
  void fold_all(Gathered<Key> *from);
  void end_batch();

  SharedPartitions &into_;
  const i64 width_, first_;
  const int bits_;
  const i64 room_;
  const std::function<OverflowBuffer &()> otherwise_;
  ByKeyClass<Gathered> gathered_;
  Arena bytes_;  // bytes of long keys
  std::vector<State *> states_;
  std::vector<u64> single_;  // a record that borrows
};

}  // namespace mrc
