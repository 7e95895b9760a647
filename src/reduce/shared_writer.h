// reduce: one worker's way into partitions that all workers share.
#pragma once

#include "reduce/shared_partitions.h"
#include "store/overflow_buffer.h"

#include <functional>
#include <vector>

namespace mrc {

// Gathers records by partition, and folds those of a partition when it has enough of them: then
// the lock is taken once for many, and the homes of their keys are fetched ahead. Not thread safe.
class SharedWriter {
 public:
  // `width`: words of values for each record. `otherwise` takes records once the partitions are
  // closed. All must outlive the writer.
  SharedWriter(SharedPartitions *into, i64 width, i64 first_partition,
               std::function<OverflowBuffer &()> otherwise);

  // Takes the records of the batch that have no state, or all, or one. Their values do not borrow.
  template <typename Key>
  void add_missing(const Batch<Key> &batch, State *const *states);
  template <typename Key>
  void add_all(const Batch<Key> &batch);
  template <typename Key>
  void add(const Batch<Key> &batch, i64 i);
  // The same for one whose values point to memory of the batch: it is folded at once. False: the
  // partitions are closed.
  template <typename Key>
  bool add_borrowed(const Batch<Key> &batch, i64 i);
  // Folds what it has gathered.
  void flush();

 private:
  // Of one class of keys: `room` records for each partition, side by side.
  template <typename Key>
  struct Gathered {
    std::vector<u64> words;
    std::vector<u64 *> ends;  // of what is gathered, by partition; empty before the first record
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
  Arena bytes_;  // of long keys
  std::vector<State *> states_;
  std::vector<u64> single_;  // a record that borrows
};

}  // namespace mrc
