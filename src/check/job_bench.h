// A job under test: its map, called so that what it must not do shows.
//
// Batches lie in guarded memory, and so do the arrays of the emitter. What lies between the
// records, and in the bytes after them that may be read, is chosen: it must not matter.
#pragma once

#include "base/arena.h"
#include "check/check.h"
#include "check/law_memory.h"
#include "check/law_values.h"
#include "plugin/call.h"
#include "plugin/settings.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// What map gets at once: records of an input, or a piece of it.
struct LawBatch {
  const LawInput *input = nullptr;
  i64 number = 0;                   // of the input
  Bytes bytes;                      // of it, from the first record to the end of the last
  std::vector<Bytes> records = {};  // parts of `bytes`; none: map gets bytes
  const mrc_split *split = nullptr;
  i64 split_number = -1;

  i64 offset() const { return bytes.data() - input->bytes.data(); }
};

// What does not belong to a record: as it is in the input, or all the same.
enum class Filler { input, digits, letters };

// A copy of a batch, which cannot be touched once this is gone.
class LentBatch {
 public:
  LentBatch(const LawBatch &batch, Filler filler);
  LentBatch(const LentBatch &) = delete;

  const mrc_records &records() const { return records_; }
  bool intact() const;  // whether map has left the bytes as they were

 private:
  void fill(const LawBatch &batch, char with);

  std::string content_;
  GuardedMemory bytes_, views_;
  mrc_records records_{};
};

// What was emitted: a hash of each key with its values, and of each bad record; and as texts.
struct Emitted {
  std::vector<u64> hashes;
  std::vector<std::string> rows;  // empty if they were not wanted

  bool operator==(const Emitted &other) const { return hashes == other.hashes; }
  u64 hash() const;  // of all
};

// The emitter of one worker.
class LawEmitter : public mrc_emitter {
 public:
  // `shows`: whether rows are wanted as texts, and what is kept is guarded. It takes long.
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
  // What is kept, and what was before the last flush, which must outlive it.
  struct Kept {
    std::vector<std::unique_ptr<GuardedMemory>> guarded;
    Arena plain;
  };
  std::array<Kept, 2> kept_;
  size_t keeping_ = 0;
  Emitted emitted_;
  std::vector<LawValue> row_;
};

// A job between open and close. Ask plugin_failed() after each call.
class JobBench {
 public:
  JobBench(const std::string &file, const mrc_job &job) : file_(file), job_(job) {}
  ~JobBench();
  JobBench(const JobBench &) = delete;

  Status open(const Settings &settings, i64 workers);
  const void *self() const { return self_; }

  // The inputs in batches of at most so many records; those of MRC_BYTES are pieces of about
  // so many bytes, and those of MRC_SPLITS what the job's `split` makes. Only the beginning of
  // long inputs is cut. Inputs and bench must outlive them.
  std::vector<LawBatch> batches(std::span<const LawInput> inputs, size_t most_records,
                                size_t piece_bytes);

 private:
  friend class JobWorker;
  PluginPlace place(const char *function, const char *input = nullptr, i64 offset = -1) const {
    return {file_.c_str(), "job", job_.name, function, input, offset};
  }
  std::vector<LawBatch> own_splits(std::span<const LawInput> inputs);

  const std::string &file_;
  const mrc_job &job_;
  void *self_ = nullptr;
  bool opened_ = false;
  std::vector<mrc_split> splits_;
};

// A thread of a job, from begin to end.
class JobWorker {
 public:
  JobWorker(const JobBench &bench, bool shows);
  JobWorker(const JobWorker &) = delete;

  // What is emitted by the call.
  Emitted map(const LentBatch &batch);
  Emitted end();

 private:
  const JobBench &bench_;
  LawEmitter emitter_;
  void *worker_ = nullptr;
  bool begun_ = true;
};

// Whether workers that map at the same time emit what each emits alone: what differs; "":
// nothing.
std::string try_threads(const std::string &file, const mrc_job &job,
                        std::span<const LawInput> inputs, const Settings &settings);

}  // namespace mrc
