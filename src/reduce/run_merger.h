// reduce: several spilled runs become one, partition by partition.
#pragma once

#include "group/container.h"
#include "store/overflow_buffer.h"

#include <atomic>
#include <memory>
#include <span>

namespace mrc {

using Runs = std::span<const std::unique_ptr<OverflowBuffer>>;

// What becomes of the records that several runs have of a partition. One thread at a time.
class RunMerger {
 public:
  // What it holds in memory, with what waits to be written, takes about so many bytes, however
  // large a partition is. A key whose records do not fit is left as several records.
  explicit RunMerger(i64 most_bytes) : most_bytes_(most_bytes) {}
  virtual ~RunMerger() = default;
  RunMerger(const RunMerger &) = delete;

  // Spills to `to` what the runs have on disk, from a partition on, which becomes the first that
  // is left over: none, unless `paused` is true before. `to` has nothing in memory, before and
  // after.
  Status merge(Runs runs, OverflowBuffer *to, i64 *from, const std::atomic<bool> &paused);
  // The same of all partitions.
  Status merge(Runs runs, OverflowBuffer *to);

 protected:
  virtual void begin(Partition partition) = 0;
  // Takes records of the partition, which may be gone afterwards.
  virtual void take(const std::byte *begin, const std::byte *end) = 0;
  virtual i64 used_bytes() const = 0;
  i64 most_bytes() const { return most_bytes_; }
  // Hands on what has been taken since begin().
  virtual void end(Partition partition, OverflowBuffer *to) = 0;

 private:
  Status merge(Partition partition, Runs runs, OverflowBuffer *to);
  Status hand_on(Partition partition, OverflowBuffer *to);

  const i64 most_bytes_;
  Pages block_;  // of a run
};

}  // namespace mrc
