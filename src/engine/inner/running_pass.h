// engine: computes running fields (expr/running.h) of the chunks of a scan, before workers take
// these.
#pragma once

#include "engine/inner/running_ahead.h"
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
  enum class Does { gather, compute };  // see RunningGroups

  // `memory`: a limit for what is kept of all groups. The fields, readers, sources and groups
  // outlive this. REQUIRES: there is one source, a file, if a function looks ahead
  RunningPass(Does does, const RunningFields &fields, const InputReaders &readers,
              const std::vector<Source> &sources, CutBytes cuts, i64 memory, RunningGroups *groups);

  // Ends all waiting. Any thread.
  void stop();

  // One worker's part.
  class Worker {
   public:
    Worker(RunningPass *pass, BadRecordSink *bad)
        : pass_(*pass),
          bad_(bad),
          scan_(pass->fields_, pass->readers_, bad),
          ahead_(pass->sources_.front(), pass->cuts_, pass->records_ahead_, pass->memory_) {}

    void begin_unit(const Unit &unit) {
      unit_ = unit;
      has_passed_ = false;
    }
    // Gives the chunk its values, which live until the next call.
    Status prepare(Chunk *chunk);
    // Called when the unit has no more chunks.
    void end_unit();

   private:
    Status read(const Chunk &chunk);
    Status compute();

    RunningPass &pass_;
    BadRecordSink *const bad_;
    RunningScan scan_;
    RunningAhead ahead_;
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

  const Does does_;
  const RunningFields &fields_;
  const InputReaders &readers_;
  const std::vector<Source> &sources_;
  const CutBytes cuts_;
  const i64 records_ahead_;
  const i64 memory_;
  std::mutex mutex_;
  UnitTurns turns_;
  RunningGroups &groups_;  // used by the worker that has the turn
};

}  // namespace mrc
