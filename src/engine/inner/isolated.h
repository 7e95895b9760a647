// engine: products of worker processes. Workers save them to files, and the process that started
// the workers adopts these in the end.
#pragma once

#include "engine/inner/input_watch.h"
#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "plugin/call.h"
#include "sched/worker_process.h"
#include "split/split_queue.h"

#include <unistd.h>

#include <memory>
#include <vector>

namespace mrc {

// One thread in each process.
class Isolated : public Conduct, public PartFiles {
 public:
  // Both arguments outlive this.
  Isolated(Run *run, Products *products) : run_(*run), products_(*products) {}

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  Status take_part(i64 worker, SealedPart part) override;
  // Keeps the last part of a worker that has ended.
  void end_worker(i64 worker) override;
  bool adopts() const override { return true; }
  Status adopt() override;

  // Called in worker processes.
  Result<std::shared_ptr<SavedPart>> create() override;
  i64 most_bytes() const override { return run_.worker_share() / 2; }

 private:
  static constexpr size_t kMostOpen = 256;  // files
  static constexpr i64 kStays = -1;

  struct Part {
    i64 worker;  // its next part replaces this one; kStays: no part does
    std::shared_ptr<SavedPart> saved;
  };
  Status join_those_that_stay();
  Status join(const RunFile &file);

  Run &run_;
  Products &products_;
  std::vector<Part> parts_;
  std::shared_ptr<SavedPart> joined_;  // the blocks of parts that stay; null: there are none
  std::unique_ptr<RunWriter> writer_;  // of that file
};

// A worker process, which maps the tasks that its parent sends and hands over the results, and the
// messages between the two.

// First byte of a message to a worker.
enum class Command : char {
  map = 'm',   // map a task; its number follows
  seal = 's',  // seal everything mapped so far
};

// First byte of a message from a worker.
enum class Word : char {
  begun = 'b',      // the worker is ready to map
  mapped = 'm',     // it has mapped the first of its tasks
  notes = 'n',      // a piece of the notes for its next seal
  sealed = 's',     // SealedCounts of what it has mapped; with a file of states, if any
  complaint = 'c',  // an input cannot be read: its number and the error
  warning = 'w',    // another error that does not end the job
  remark = 'r',     // a note for the user
  error = 'e',      // an error that ends the job
  fault = 'f',      // a fault of its task, which ends the worker
};

struct SealedCounts {
  ReadCounts read;
  i64 records = 0, packed_bytes = 0;
  bool emptied = false;
  i64 sink_notes = 0;  // bytes of the sink's notes, which come first

  std::string to_text() const;
  static SealedCounts from_text(Bytes text);
};

// The worker's side of the connection: takes commands of the parent, and sends it words.
class IsolatedWorker {
 public:
  // `claims`: the tasks, by number. All arguments outlive this.
  IsolatedWorker(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch,
                 const std::vector<SplitQueue::Claim> *claims, const Channel *channel)
      : run_(*run),
        queue_(*queue),
        sink_(*sink),
        watch_(*watch),
        claims_(*claims),
        channel_(*channel) {}

  // Maps until the parent ends. `number`: index of the worker among those that run.
  [[noreturn]] void work(i64 number);

 private:
  Status map_all(i64 number);
  SplitQueue::Claim next();
  SplitQueue::Claim obey();
  bool should_seal() const;
  Status seal();
  void say(Word word, Bytes text = {}, std::span<const int> files = {}) const;
  void end_if_second() const;
  [[noreturn]] void end(const Status &status) const;

  Run &run_;
  SplitQueue &queue_;
  StageSink &sink_;
  InputWatch &watch_;
  const std::vector<SplitQueue::Claim> &claims_;
  const Channel &channel_;
  const pid_t id_ = getpid();

  ScanPart part_ = {};
  bool is_mapping_ = false;
  ReadCounts read_;  // this and the members below are those of the last seal
  i64 records_ = 0, packed_bytes_ = 0;
  double sealed_at_ = 0, seconds_to_seal_ = 0;
};

// A scan by worker processes. If one dies, only what it has not sealed is lost, and others map that
// again (MaRCO 2: failed tasks run again, backup tasks). Has worker processes map all units of the
// queue. Leaves out tasks whose workers died more than once, with a complaint; with --strict, this
// is an error. REQUIRES: this process has one thread; the only streams are compressed files
Status scan_isolated(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch);

}  // namespace mrc
