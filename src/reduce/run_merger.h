// reduce: merges, sorts and folds spilled runs while other workers still map.
#pragma once

#include "base/arena.h"
#include "group/container.h"
#include "reduce/inner/record_folder.h"
#include "store/overflow_buffer.h"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Merges several spilled runs into one, partition by partition.

using Runs = std::span<const std::unique_ptr<OverflowBuffer>>;

// Merges the records of several runs; derived classes say how. One thread at a time.
class RunMerger {
 public:
  // Uses about `most_bytes` of memory, including output that is not written yet, for partitions of
  // any size. A key whose records do not fit is left as several records.
  explicit RunMerger(i64 most_bytes) : most_bytes_(most_bytes) {}
  virtual ~RunMerger() = default;
  RunMerger(const RunMerger &) = delete;

  // Merges the records that the runs have on disk, from partition *from on, and spills them to
  // `to`. Stops before the next partition when `paused` becomes true. *from becomes the first
  // partition that is not merged. `to` has nothing in memory before and after.
  Status merge(Runs runs, OverflowBuffer *to, i64 *from, const std::atomic<bool> &paused);
  // Merges all partitions.
  Status merge(Runs runs, OverflowBuffer *to);

 protected:
  virtual void begin(Partition partition) = 0;
  // Takes records of the partition, which need not stay valid afterwards.
  virtual void take(const std::byte *begin, const std::byte *end) = 0;
  virtual i64 used_bytes() const = 0;
  i64 most_bytes() const { return most_bytes_; }
  // Appends the result of the records since begin() to `to`.
  virtual void end(Partition partition, OverflowBuffer *to) = 0;

 private:
  Status merge(Partition partition, Runs runs, OverflowBuffer *to);
  Status hand_on(Partition partition, OverflowBuffer *to);

  const i64 most_bytes_;
  Pages block_;  // buffer for a block of a run
};

// Sorts spilled records by their hashes while other workers still map. The partial sort of
// MaRCO 3.1. The order within a partition is the order of hashes, so that reduce fills its table
// from front to back, and reads one long block instead of many.
class RunSorter : public RunMerger {
 public:
  RunSorter(RecordShape shape, i64 most_bytes) : RunMerger(most_bytes), shape_(shape) {}

 protected:
  void begin(Partition partition) override;
  void take(const std::byte *begin, const std::byte *end) override;
  i64 used_bytes() const override;
  void end(Partition partition, OverflowBuffer *to) override;

 private:
  struct Place {
    u64 hash;
    const std::byte *record;
  };

  RecordShape shape_;
  Arena records_;
  std::vector<Place> places_;
};

// Folds staged and spilled records while other workers still map. The partial reduce of the
// tiled and of the eager designs (Tiled-MapReduce 4.1, compress; MaRCO 4.1). Partition by
// partition, in a table that fits the cache, all records of a key become one STATE record. The
// number of keys bounds the result, and not the length of the input. Needs no lock, because an
// overflow buffer has one owner.
class Compactor : public RunMerger {
 public:
  // merge() requires copied `key_bytes`, and uses about `most_bytes` of memory.
  Compactor(const StateLayout &layout, RecordShape shape, KeyBytes key_bytes = KeyBytes::borrowed,
            i64 most_bytes = INT64_MAX);

  // Folds the records that `from` has in memory into STATE records in `to`, which is empty. Returns
  // the ratio of records in `from` to records in `to`.
  double compact(const OverflowBuffer &from, OverflowBuffer *to);

 protected:
  void begin(Partition partition) override;
  void take(const std::byte *begin, const std::byte *end) override;
  i64 used_bytes() const override;
  void end(Partition partition, OverflowBuffer *to) override;

 private:
  const StateLayout &layout_;
  Arena states_;
  PartitionTables tables_;
  RecordFolder folder_;
  TableHash hash_;  // hash of the partition's tables
  std::string saved_;
};

}  // namespace mrc
