// engine: what a worker process does: it maps the tasks that it is told to, and hands over what it
// has made of them. What the two processes say to each other.
#pragma once

#include "engine/input_watch.h"
#include "engine/run.h"
#include "plugin/call.h"
#include "sched/worker_process.h"
#include "split/split_queue.h"

#include <unistd.h>

#include <vector>

namespace mrc {

// The first byte of a message to a worker.
enum class Command : char {
  map = 'm',   // a task, as a number
  seal = 's',  // all that it has mapped
};

// The first byte of a message from a worker.
enum class Word : char {
  begun = 'b',      // it is ready to map
  mapped = 'm',     // the first of the tasks that it was told to map
  notes = 'n',      // a piece of what belongs to what it seals next
  sealed = 's',     // what it has mapped: SealedCounts; its states go with it, if there are any
  complaint = 'c',  // an input cannot be read: its number, and why
  warning = 'w',    // what is wrong otherwise, and does not end the job
  remark = 'r',     // what people should know
  error = 'e',      // why the job has to fail
  fault = 'f',      // why the worker ends, with its task
};

struct SealedCounts {
  ReadCounts read;
  i64 records = 0, packed_bytes = 0;
  bool emptied = false;
  i64 sink_notes = 0;  // bytes of the notes that are for the sink; they come first

  std::string to_text() const;
  static SealedCounts from_text(Bytes text);
};

// In the new process.
class IsolatedWorker {
 public:
  // `claims`: tasks, by number. All outlive this.
  IsolatedWorker(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch,
                 const std::vector<SplitQueue::Claim> *claims, const Channel *channel)
      : run_(*run),
        queue_(*queue),
        sink_(*sink),
        watch_(*watch),
        claims_(*claims),
        channel_(*channel) {}

  // Until it is told no more. `number`: of the place where it runs.
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
  ReadCounts read_;  // when it sealed last, as the rest
  i64 records_ = 0, packed_bytes_ = 0;
  double sealed_at_ = 0, seconds_to_seal_ = 0;
};

}  // namespace mrc
