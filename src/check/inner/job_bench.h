// Tests a job: calls its map so that forbidden effects become visible.
//
// Batches and the arrays of the emitter lie in guarded memory. The bytes between the records, and
// the readable bytes after them, are chosen by the test: they must not matter.
#pragma once

#include "base/arena.h"
#include "check/check.h"
#include "check/inner/law_bench.h"
#include "plugin/call.h"
#include "plugin/plugin_job.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// The input of one call of map: records of an input, or a piece of it.
struct LawBatch {
  const LawInput *input = nullptr;
  i64 number = 0;                   // index of the input
  Bytes bytes;                      // of the input, from the first record to the end of the last
  std::vector<Bytes> records = {};  // parts of `bytes`; empty: map gets bytes
  const mrc_split *split = nullptr;
  i64 split_number = -1;
  std::span<const LawRecord> rows = {};  // for MRC_ROWS: the values of the records' fields

  i64 offset() const { return bytes.data() - input->bytes.data(); }
};

// Content of the bytes outside of records: those of the input, or all equal.
enum class Filler { input, digits, letters };

// Values of fields in memory that becomes inaccessible with the destructor. Equal bytes are between
// the texts.
class LentValues {
 public:
  // REQUIRES: there are rows, and each has a value
  LentValues(std::span<const LawRecord> rows, char between);
  mrc_values values() const;
  bool intact() const;  // true if map has not changed them

 private:
  i64 width_;
  std::string content_;
  std::vector<u64> own_words_;
  GuardedMemory bytes_, texts_, words_;
};

// A copy of a batch in memory that becomes inaccessible with the destructor.
class LentBatch {
 public:
  LentBatch(const LawBatch &batch, Filler filler);
  LentBatch(const LentBatch &) = delete;

  const mrc_records &records() const { return records_; }
  bool intact() const;  // true if map has not changed the bytes

 private:
  void fill(const LawBatch &batch, char with);

  std::string content_;
  GuardedMemory bytes_, views_;
  std::optional<LentValues> values_;  // for batches with rows
  mrc_records records_{};
};

// Emitted records: a hash of each key with its values, and of each bad record; optionally as texts.
struct Emitted {
  std::vector<u64> hashes;
  std::vector<std::string> rows;  // empty if they are not wanted

  bool operator==(const Emitted &other) const { return hashes == other.hashes; }
  u64 hash() const;  // of all hashes
};

// The emitter of one worker.
class LawEmitter : public mrc_emitter {
 public:
  // `shows`: keep rows as texts, and guard the texts of keep(). This is slow.
  LawEmitter(const mrc_job &job, bool shows);

  void take();
  Emitted take_emitted();

 private:
  LawValue key_of(size_t i) const;
  LawValue value_of(size_t i, size_t column) const;
  void add(std::span<const LawValue> row);
  mrc_text kept(mrc_text text);
  void forget();

  const mrc_job &job_;
  bool shows_;
  size_t words_;
  GuardedMemory keys_, integers_, values_;
  // Texts of keep(), and those from before the last flush, which must outlive it.
  struct Kept {
    std::vector<std::unique_ptr<GuardedMemory>> guarded;
    Arena plain;
  };
  std::array<Kept, 2> kept_;
  size_t keeping_ = 0;
  Emitted emitted_;
  std::vector<LawValue> row_;
};

// A job between open and close. Check plugin_failed() after each call.
class JobBench {
 public:
  JobBench(const std::string &file, const mrc_job &job) : file_(file), job_(job) {}
  ~JobBench();
  JobBench(const JobBench &) = delete;

  Status open(const Settings &settings, i64 workers);
  const void *self() const { return self_; }

  // Splits the inputs into batches of at most `most_records`; for MRC_BYTES into pieces of about
  // `piece_bytes`, and for MRC_SPLITS by the job's `split`. Uses only the beginning of long inputs.
  // For MRC_ROWS, the rows are generated.
  // Inputs and bench must outlive the batches.
  std::vector<LawBatch> batches(std::span<const LawInput> inputs, size_t most_records,
                                size_t piece_bytes);

 private:
  friend class JobWorker;
  PluginPlace place(const char *function, const char *input = nullptr, i64 offset = -1) const {
    return {file_.c_str(), "job", job_.name, function, input, offset};
  }
  std::vector<LawBatch> own_splits(std::span<const LawInput> inputs);
  void make_rows();

  const std::string &file_;
  const mrc_job &job_;
  void *self_ = nullptr;
  bool opened_ = false;
  std::vector<mrc_split> splits_;
  LawRecords rows_;     // for MRC_ROWS
  LawInput row_texts_;  // ... a line for each
};

// A thread of a job, from begin to end.
class JobWorker {
 public:
  JobWorker(const JobBench &bench, bool shows);
  JobWorker(const JobWorker &) = delete;

  // Returns all that the call emitted.
  Emitted map(const LentBatch &batch);
  Emitted end();

 private:
  const JobBench &bench_;
  LawEmitter emitter_;
  void *worker_ = nullptr;
  bool begun_ = true;
};

// Compares what workers emit while others map with what each emits alone. Returns the first
// difference; "": none.
std::string try_threads(const std::string &file, const mrc_job &job,
                        std::span<const LawInput> inputs, const Settings &settings);

}  // namespace mrc
