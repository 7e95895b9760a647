// engine: a worker process, which maps the tasks that its parent sends and hands over the results;
// and the messages between the two.
#pragma once

#include "engine/inner/input_watch.h"
#include "engine/inner/run.h"
#include "plugin/call.h"
#include "sched/worker_process.h"
#include "split/split_queue.h"

#include <unistd.h>

#include <vector>

namespace mrc {

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

}  // namespace mrc
