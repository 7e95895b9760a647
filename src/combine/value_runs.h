// The values of a state, in order: as a stream, and in sorted runs on disk if the state outgrows
// memory.
#pragma once

#include "base/number.h"
#include "combine/combine.h"
#include "store/store.h"

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mrc {

// Values and how often they occur, in order.

// A value of a key. It borrows the memory that it points to.
struct CountedValue {
  Bytes text = {};             // null if the value is just a number
  Number number = kBadNumber;  // the value as a number, if it is one
  u64 count = 0;
};

// Numbers come first, by their values; other texts follow, by their bytes: 9, 10, "a".
bool is_smaller(const CountedValue &a, const CountedValue &b);

// Values in ascending order, each once.
class ValueStream {
 public:
  virtual ~ValueStream() = default;
  // Gives the next value, which is borrowed until the next call; false after the last one.
  virtual bool next(CountedValue *value) = 0;
};

// Streams the values of an array, which may repeat.
class SortedValueStream : public ValueStream {
 public:
  explicit SortedValueStream(std::vector<CountedValue> values);
  bool next(CountedValue *value) override;

 private:
  std::vector<CountedValue> values_;
  size_t next_ = 0;
};

// Merges the values of several streams.
class MergedValueStream : public ValueStream {
 public:
  explicit MergedValueStream(std::vector<std::unique_ptr<ValueStream>> inputs);
  bool next(CountedValue *value) override;

 private:
  struct Input {
    std::unique_ptr<ValueStream> stream;
    CountedValue value;
  };
  struct Later {  // puts the smallest on top of a heap
    bool operator()(const Input &a, const Input &b) const { return is_smaller(b.value, a.value); }
  };
  void push(std::unique_ptr<ValueStream> stream);

  std::vector<Input> heap_;
  std::vector<std::unique_ptr<ValueStream>> taken_;  // streams of the last returned value
};

// The values of a state that outgrows memory, in sorted runs on disk.
//
// A state that keeps all values of its key (value_counts.h, quantiles.cc) grows with the input. If
// memory is limited, its values are written to sorted runs, as in an external sort. The state keeps
// the names of the runs and continues with the next values. In the end a merge yields all values in
// order, in any amount of memory.

// Ascending values on disk, without duplicates. Immutable; any thread may read it.
struct ValueRun {
  const RunFile *file = nullptr;
  std::vector<BlockInfo> blocks;
  std::vector<u64> total_before;  // by block: sum of the counts before it
  u64 distinct = 0;               // number of values
  u64 total = 0;                  // sum of their counts
  bool texts = false;             // false: numbers without a text
  u64 id = 0;                     // index in its ValueRuns
};

class SpilledValues;

// All runs of a job, in temporary files that are removed with it. Thread safe.
//
// After an error, runs are empty and status() has the error. A job must check it before it uses a
// result.
class ValueRuns {
 public:
  // `worker_bytes` is the memory budget of a worker.
  ValueRuns(std::string tmpdir, i64 worker_bytes);

  // A state with more bytes of values is saved as runs.
  i64 most_saved() const { return most_saved_; }
  // A state with more bytes of values is finished from runs, because finishing takes several times
  // as much memory.
  i64 most_finished() const { return most_finished_; }

  // True if a state of another process, saved with all of its values, is too large to load. In
  // memory, short values take up to four times their saved bytes.
  bool is_much(Bytes saved) const { return std::ssize(saved) > most_finished_ / 4; }

  // Writes a run. REQUIRES: `values` ascend; equal ones are counted together
  const ValueRun *write(ValueStream *values, bool texts);
  // Streams the values of a run, from `block` on.
  std::unique_ptr<ValueStream> read(const ValueRun &run, i64 block = 0);

  // Make a list of runs for a state, empty or from saved names. It lives as long as this.
  SpilledValues *make_spilled();
  SpilledValues *load_spilled(Bytes *saved);

  Status status() const;
  i64 values() const;  // values written, including repeated ones
  i64 bytes() const;

 private:
  friend class ValueRunReader;
  friend class ValueRunWriter;
  // A file holds runs one after another, and has one writer at a time.
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

// The runs that hold the values of one state. One thread at a time.
class SpilledValues {
 public:
  explicit SpilledValues(ValueRuns *owner) : owner_(owner) {}

  ValueRuns *owner() const { return owner_; }
  void add(const ValueRun *run) { runs_.push_back(run); }
  // Adds the runs of another state, which may continue to use them.
  void add(const SpilledValues &other) {
    runs_.insert(runs_.end(), other.runs_.begin(), other.runs_.end());
  }
  // Merges all runs into one, which replaces them. REQUIRES: there is at least one
  const ValueRun &merged();
  // Appends the names of the runs, for load_spilled() of the same ValueRuns.
  void save(std::string *out) const;

 private:
  const ValueRun *merge(size_t count);

  ValueRuns *owner_;
  std::vector<const ValueRun *> runs_;
};

}  // namespace mrc
