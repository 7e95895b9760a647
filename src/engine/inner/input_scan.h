// engine: the only loop over input. Workers claim units, take their chunks, and hand over their
// results.
#pragma once

#include "engine/inner/running_pass.h"
#include "map/map.h"
#include "sched/sched.h"
#include "split/chunk_source.h"
#include "store/store.h"

#include <memory>
#include <optional>
#include <string>

namespace mrc {

struct Report;

// Results of a worker process since it was last emptied. They replace what it has sealed since
// then.
struct SealedPart {
  std::optional<RunFile> states;  // none: there are no states
  bool emptied = false;           // the worker starts over: its next parts add to this one
  std::string notes;              // for the sink
};

// One worker's part of a sink, created and used by that worker.
class Hand {
 public:
  virtual ~Hand() = default;
  virtual Status begin_unit(const Unit &) { return Status::ok(); }
  // Takes a chunk and adds the number of its records to *records.
  virtual Status take(const Chunk &chunk, i64 *records) = 0;
  // Ends the unit: it has no more chunks.
  virtual Status end_unit(const Unit &) { return Status::ok(); }
  // Hands the results over to the sink. Called once, even after an error, since a worker must end
  // what it has begun. Then `whole` is false, and the results do not count.
  virtual Status seal(bool whole) = 0;
  // Only in a worker process: returns the results since the last call that emptied the worker. The
  // worker continues.
  virtual Result<SealedPart> seal_part() { return SealedPart{}; }
};

// Receives the chunks of a scan.
class Sink {
 public:
  virtual ~Sink() = default;
  // True if the sink puts the results of units in the order of the input.
  virtual bool in_order() const { return false; }
  // True if units must be claimed in the order of the input. Interim answers may need it, too.
  virtual bool claims_in_order() const { return in_order(); }
  // If in order: true if so much output waits for its turn that other workers should help with the
  // earliest units. Any thread.
  virtual bool is_far_ahead() const { return false; }
  // Called before the first chunk is taken. The source outlives the scan.
  virtual void begin(ChunkSource *) {}
  // Makes a hand on the worker's thread, so that its memory is near the worker. `bad` takes
  // malformed records, and outlives the hand.
  virtual std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) = 0;
  // With worker processes: takes a part that a worker has sealed. A worker that replaces a dead one
  // has a number of its own.
  virtual Status take_part(i64 /*worker*/, SealedPart /*part*/) { return Status::ok(); }
  virtual void end_worker(i64 /*worker*/) {}
  // Ends the scan early: open units will not be finished. Any thread.
  virtual void stop() {}
  // Adds the counts of the scan to the report. Called when all hands are sealed.
  virtual Status end(Report *) { return Status::ok(); }
  // Malformed records and values after this position do not count. Call it after end().
  virtual u64 last_position() const { return ~u64{0}; }
};

// Observes a scan.
class Watch {
 public:
  virtual ~Watch() = default;

  // Notes of one worker.
  class Notes {
   public:
    virtual ~Notes() = default;
    virtual BadRecordSink *bad() = 0;
    // Called before the chunk is taken.
    virtual Status note(const Chunk &) { return Status::ok(); }
    // Called after it was taken.
    virtual void look_back() {}
  };
  // Begins the notes of a worker, on its thread.
  virtual Result<std::unique_ptr<Notes>> begin(i64 worker) = 0;
  // Called now and then on one of the workers.
  virtual void look() {}
  // Takes the notes of a worker that has sealed its hand.
  virtual void end(std::unique_ptr<Notes> notes, const ReadCounts &counts, i64 records) = 0;
};

// State of one worker in a scan.
struct ScanPart {
  ChunkSource::Reader *reader;
  Hand *hand;
  Watch::Notes *notes;
  Watch *watch = nullptr;  // observes the scan after each chunk; null: another worker's part does
  i64 records = 0;
  RunningPass::Worker *running = nullptr;  // null: no field depends on earlier records
};
// Takes units until there are no more.
Status take_units(ScanPart *part);

// Has all workers of the pool take the source's chunks. An error of one worker ends the scan.
// Returns the first error in the order of workers. `running` prepares the chunks; null: there is
// nothing to prepare. REQUIRES: with `running`, units are claimed in the order of the input
Status scan(ChunkSource *source, Sink *sink, Watch *watch, WorkerPool *pool,
            RunningPass *running = nullptr);

}  // namespace mrc
