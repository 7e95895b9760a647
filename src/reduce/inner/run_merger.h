// reduce: merges several spilled runs into one, partition by partition.
#pragma once

#include "group/container.h"
#include "store/overflow_buffer.h"

#include <atomic>
#include <memory>
#include <span>

namespace mrc {

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

}  // namespace mrc
