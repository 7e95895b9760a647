// combine: the values of a state that outgrows memory, in sorted runs on disk.
//
// A state that keeps all values of its key (value_counts.h, quantiles.h) grows with the
// input. Where memory is limited its values leave as sorted runs, as the rows of an external
// sort do: the state remembers the runs, goes on with what arrives next, and in the end
// one merge shows all values in order, whatever fits in memory.
#pragma once

#include "combine/value_stream.h"
#include "store/store.h"

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mrc {

// Values on disk, ascending, each once. Immutable; any thread may read it.
struct ValueRun {
  const RunFile *file = nullptr;
  std::vector<BlockInfo> blocks;
  std::vector<u64> total_before;  // of each block: the sum of the counts before it
  u64 distinct = 0;               // how many values there are
  u64 total = 0;                  // the sum of their counts
  bool texts = false;             // else they are numbers without a text
  u64 id = 0;                     // in its ValueRuns
};

class SpilledValues;

// All runs of a job, in temporary files that vanish with this. Thread safe.
//
// After an error runs are empty and status() says why: the job has to ask before it
// trusts an answer.
class ValueRuns {
 public:
  // `worker_bytes`: what a worker may keep in memory.
  ValueRuns(std::string tmpdir, i64 worker_bytes);

  // A state whose values take more bytes than this is not saved with them...
  i64 most_saved() const { return most_saved_; }
  // ... nor finished from memory, which takes several times as much.
  i64 most_finished() const { return most_finished_; }

  // Writes a run. `values` ascend, and equal ones count together.
  const ValueRun *write(ValueStream *values, bool texts);
  // The values of a run, from the block on.
  std::unique_ptr<ValueStream> read(const ValueRun &run, i64 block = 0);

  // What a state remembers, with no run in it, or those that were saved. Lives as long as this.
  SpilledValues *make_spilled();
  SpilledValues *load_spilled(Bytes *saved);

  Status status() const;
  i64 values() const;  // written, repeated ones included
  i64 bytes() const;

 private:
  friend class ValueRunReader;
  friend class ValueRunWriter;
  // Runs of one writer at a time, one after another.
  struct File {
    explicit File(RunFile opened) : file(std::move(opened)), writer(&file, RunHeader{}) {}
    RunFile file;
    RunWriter writer;
    bool busy = false;
  };

  Result<File *> acquire_file();
  void fail(const Status &status);

  const std::string tmpdir_;
  const i64 most_saved_, most_finished_;
  mutable std::mutex mutex_;
  std::deque<File> files_;
  std::deque<ValueRun> runs_;
  std::deque<SpilledValues> spilled_;
  Status status_ = Status::ok();
  u64 values_ = 0;
};

// The runs that values of one state are in. One thread at a time.
class SpilledValues {
 public:
  explicit SpilledValues(ValueRuns *owner) : owner_(owner) {}

  ValueRuns *owner() const { return owner_; }
  void add(const ValueRun *run) { runs_.push_back(run); }
  // Adds the runs of another state, which may go on using them.
  void add(const SpilledValues &other) {
    runs_.insert(runs_.end(), other.runs_.begin(), other.runs_.end());
  }
  // Merges all runs into one, which takes their place. REQUIRES: there is one
  const ValueRun &merged();
  // Names the runs: for load_spilled() of the same ValueRuns.
  void save(std::string *out) const;

 private:
  const ValueRun *merge(size_t count);

  ValueRuns *owner_;
  std::vector<const ValueRun *> runs_;
};

}  // namespace mrc
