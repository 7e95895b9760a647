#include "reduce/inner/run_merger.h"

namespace mrc {

Status RunMerger::merge(Runs runs, OverflowBuffer *to) {
  i64 from = 0;
  return merge(runs, to, &from, false);
}

Status RunMerger::merge(Runs runs, OverflowBuffer *to, i64 *from, const std::atomic<bool> &paused) {
  const int bits = to->partition_bits();
  for (i64 &index = *from; index < i64{1} << bits; ++index) {
    if (paused.load(std::memory_order_relaxed)) break;
    if (Status status = merge({index, bits}, runs, to); !status.is_ok()) return status;
  }
  Status status = to->spill();
  to->clear(true);
  return status;
}

Status RunMerger::merge(Partition partition, Runs runs, OverflowBuffer *to) {
  begin(partition);
  Status written = Status::ok();
  for (const auto &run : runs) {
    Status read =
        run->each(partition.index, &block_, [&](const auto *begin_at, const auto *end_at) {
          take(begin_at, end_at);
          if (used_bytes() < most_bytes_ / 2) return true;
          written = hand_on(partition, to);
          begin(partition);
          return written.is_ok();
        });
    if (!read.is_ok()) return read;
    if (!written.is_ok()) return written;
  }
  return hand_on(partition, to);
}

Status RunMerger::hand_on(Partition partition, OverflowBuffer *to) {
  end(partition, to);
  if (to->used_bytes() < most_bytes_ / 4) return Status::ok();
  Status status = to->spill();
  to->clear(true);
  return status;
}

}  // namespace mrc
