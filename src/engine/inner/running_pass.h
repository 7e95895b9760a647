// engine: computes running fields (expr/running.h) of the chunks of a scan, before workers take
// these.
#pragma once

#include "expr/running.h"
#include "split/unit_turns.h"

#include <mutex>
#include <optional>
#include <vector>

namespace mrc {

// Workers read their chunks at the same time, and then take turns in the order of the input. A
// worker gives its turn away with the last chunk of its unit, and goes on with the chunk while
// others have theirs. Thread safe.
class RunningPass {
 public:
  // `memory`: a limit for what is kept of all groups. The fields and readers outlive this.
  RunningPass(const RunningFields &fields, const InputReaders &readers, std::vector<bool> has_units,
              i64 memory)
      : fields_(fields),
        readers_(readers),
        memory_(memory),
        turns_(std::move(has_units)),
        groups_(fields) {}

  // Ends all waiting. Any thread.
  void stop();

  // One worker's part.
  class Worker {
   public:
    Worker(RunningPass *pass, BadRecordSink *bad)
        : pass_(*pass), bad_(bad), scan_(pass->fields_, pass->readers_, bad) {}

    void begin_unit(const Unit &unit) {
      unit_ = unit;
      has_passed_ = false;
    }
    // Gives the chunk its values, which live until the next call.
    Status prepare(Chunk *chunk);
    // Called when the unit has no more chunks.
    void end_unit();

   private:
    Status compute();

    RunningPass &pass_;
    BadRecordSink *const bad_;
    RunningScan scan_;
    RunningInput input_;
    RunningValues values_;
    Arena texts_;
    Unit unit_;
    bool has_passed_ = false;  // the unit has given its turn away
  };

 private:
  // Returns false if the scan ends early.
  bool wait(const Unit &unit);
  void pass(const Unit &unit);

  const RunningFields &fields_;
  const InputReaders &readers_;
  const i64 memory_;
  std::mutex mutex_;
  UnitTurns turns_;
  RunningGroups groups_;  // used by the worker that has the turn
};

}  // namespace mrc
