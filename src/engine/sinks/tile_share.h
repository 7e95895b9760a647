// What one worker has read of the tile that it is in, of a job that leaves checkpoints.
#pragma once

#include "engine/checkpoints.h"
#include "engine/run.h"
#include "engine/sinks/counted_bad.h"

#include <memory>
#include <mutex>
#include <utility>

namespace mrc {

class TileShare {
 public:
  // `bad` takes what is wrong with records in the end. All outlive this.
  TileShare(Run *run, Checkpoints *checkpoints, i64 worker, BadRecordSink *bad)
      : run_(*run),
        checkpoints_(*checkpoints),
        worker_(worker),
        bad_(bad, run->program.map.terminator) {}

  // Takes what is wrong with records meanwhile.
  BadRecordSink *bad() { return &bad_; }

  // Enters the tile of a unit. If that is another one, and a checkpoint may be made of the one
  // before, leave_tile() saves what was made of that, and calls leave().
  template <typename LeaveTile>
  Status begin_unit(const Unit &unit, LeaveTile leave_tile) {
    const i64 tile = checkpoints_.enter(worker_, unit);
    if (tile != tile_ && tile_ >= 0 && may_leave()) {
      if (Status status = leave_tile(); !status.is_ok()) return status;
    }
    tile_ = tile;
    ++share_.units;
    if (unit.last) share_.finished.push_back(unit.source);
    return Status::ok();
  }

  // Records of a chunk have been taken.
  void add(const Chunk &chunk, i64 records) {
    Covered covered{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes)};
    covered.records = records;
    bad_.move_to(&covered, &share_.flaws);
    has_bad_ |= covered.bad_records + covered.bad_values > 0;
    add_covered(covered, &share_.covered);
  }

  // See Checkpoints::leave().
  void leave(std::shared_ptr<StatePart> part, bool emptied) {
    checkpoints_.leave(worker_, tile_, std::exchange(share_, {}), std::move(part), emptied);
  }

 private:
  // A job that goes on has to meet damage again, or what is bad with --strict, and to say so.
  bool may_leave() const {
    if (checkpoints_.has_failed() || (has_bad_ && run_.program.strict)) return false;
    const std::lock_guard lock(run_.mutex);
    return run_.damaged.empty();
  }

  Run &run_;
  Checkpoints &checkpoints_;
  const i64 worker_;
  CountedBad bad_;
  i64 tile_ = -1;
  Checkpoints::Share share_;
  bool has_bad_ = false;
};

}  // namespace mrc
