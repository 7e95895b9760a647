// reduce: writes the records of one worker to shared partitions.
#pragma once

#include "reduce/inner/shared_partitions.h"
#include "store/overflow_buffer.h"

#include <functional>
#include <vector>

namespace mrc {

// Gathers records by partition, and folds a partition's records when there are enough: this takes
// the lock once for many records, and prefetches the slots of their keys. Not thread safe.
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
