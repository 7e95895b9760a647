// The part of the current tile that one worker has mapped, for a job that makes checkpoints.
#pragma once

#include "engine/inner/checkpoints.h"
#include "engine/inner/run.h"
#include "engine/sinks/counted_bad.h"

#include <memory>
#include <mutex>
#include <utility>

namespace mrc {

class TileShare {
 public:
  // `bad` takes malformed records and values. All arguments outlive this.
  TileShare(Run *run, Checkpoints *checkpoints, i64 worker, BadRecordSink *bad)
      : run_(*run),
        checkpoints_(*checkpoints),
        worker_(worker),
        bad_(bad, run->program.map.terminator) {}

  // Returns a sink that counts malformed records and values and passes them on.
  BadRecordSink *bad() { return &bad_; }

  // Enters the tile of a unit. If the worker changes tiles, and its last tile may be saved, calls
  // leave_tile(), which saves the results so far and calls leave().
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

  // Adds a chunk that has been mapped, with the number of its records.
  void add(const Chunk &chunk, i64 records) {
    Portion portion{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes)};
    portion.records = records;
    bad_.move_to(&portion, &share_.flaws);
    has_bad_ |= portion.has_bad();
    add_portion(portion, &share_.portions);
  }

  // See Checkpoints::leave().
  void leave(std::shared_ptr<SavedPart> part, bool emptied) {
    checkpoints_.leave(worker_, tile_, std::exchange(share_, {}), std::move(part), emptied);
  }

 private:
  // False after damaged input, or after a malformed record or value with --strict: a resumed job
  // must meet and report it again.
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
