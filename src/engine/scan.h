// engine: the one loop over input: workers claim units, take their chunks, and hand over what
// they have made of them.
#pragma once

#include "map/map.h"
#include "sched/sched.h"
#include "split/chunk_source.h"
#include "store/store.h"

#include <memory>
#include <optional>
#include <string>

namespace mrc {

struct Report;

// What a worker process has made since it last began anew; it takes the place of what it sealed
// since then.
struct SealedPart {
  std::optional<RunFile> states;  // none: nothing came of them
  bool emptied = false;           // the worker begins anew: what it seals next adds to this
  std::string notes;              // for the sink
};

// One worker's part of a sink, made and used by that worker.
class Hand {
 public:
  virtual ~Hand() = default;
  virtual Status begin_unit(const Unit &) { return Status::ok(); }
  // Adds to *records how many records the chunk has.
  virtual Status take(const Chunk &chunk, i64 *records) = 0;
  // When the unit has no more chunks.
  virtual Status end_unit(const Unit &) { return Status::ok(); }
  // Hands over to the sink. Called once, even after an error, since what a worker has begun
  // must end; then `whole` is false, and nothing that is handed over counts.
  virtual Status seal(bool whole) = 0;
  // In a worker process, and only there: what was made since the last call, or that in addition to
  // what it returned before. It goes on.
  virtual Result<SealedPart> seal_part() { return SealedPart{}; }
};

// What becomes of chunks.
class Sink {
 public:
  virtual ~Sink() = default;
  // Whether units are to be claimed in the order of the input.
  virtual bool in_order() const { return false; }
  // The same, for what is shown meanwhile; what is made of units has no order.
  virtual bool claims_in_order() const { return in_order(); }
  // In order: whether so much waits for its turn that what comes first wants help. Any thread.
  virtual bool is_far_ahead() const { return false; }
  // Before the first chunk is taken. The source outlives the scan.
  virtual void begin(ChunkSource *) {}
  // On the worker's thread, so that its memory is near it. `bad` takes what is wrong with
  // records, and outlives the hand.
  virtual std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) = 0;
  // With worker processes: a worker has sealed a part. Workers are numbered; those that take the
  // place of dead ones have numbers of their own.
  virtual Status take_part(i64 /*worker*/, SealedPart /*part*/) { return Status::ok(); }
  virtual void end_worker(i64 /*worker*/) {}
  // The scan ends early: no unit that is open will be finished. Any thread.
  virtual void stop() {}
  // When all hands are sealed: says what was made of the input.
  virtual Status end(Report *) { return Status::ok(); }
  // What is wrong with the input after this position does not count. After end().
  virtual u64 last_position() const { return ~u64{0}; }
};

// What accompanies a scan.
class Watch {
 public:
  virtual ~Watch() = default;

  // Of one worker.
  class Notes {
   public:
    virtual ~Notes() = default;
    virtual BadRecordSink *bad() = 0;
    // Before the chunk is taken.
    virtual Status note(const Chunk &) { return Status::ok(); }
    // After it was taken.
    virtual void look_back() {}
  };
  // On the worker's thread.
  virtual Result<std::unique_ptr<Notes>> begin(i64 worker) = 0;
  // Now and then, on one of the workers.
  virtual void look() {}
  // When the worker has sealed its hand.
  virtual void end(std::unique_ptr<Notes> notes, const ReadCounts &counts, i64 records) = 0;
};

// What one worker has.
struct ScanPart {
  ChunkSource::Reader *reader;
  Hand *hand;
  Watch::Notes *notes;
  Watch *watch = nullptr;  // that looks after each chunk; null: another worker's does
  i64 records = 0;
};
// The worker takes units until there are no more.
Status take_units(ScanPart *part);

// Has all workers of the pool take the source's chunks. An error of one ends the scan; the first
// in the order of workers is returned.
Status scan(ChunkSource *source, Sink *sink, Watch *watch, WorkerPool *pool);

}  // namespace mrc
