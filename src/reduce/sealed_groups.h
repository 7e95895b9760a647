// reduce: the groups of a tile as STATE records that outlive the run: whatever survives, moves or
// is shown early has this form (mrc-state(5)).
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "store/overflow_buffer.h"
#include "store/store.h"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Which blocks of a run belong to a tile.
struct SealedBlocks {
  i64 first = 0, count = 0;
  i64 keys = 0;
};

// A run that several workers write tiles to, each of them at once. Thread safe.
class SealedRun {
 public:
  // `file` outlives this; nothing else writes to it.
  SealedRun(const RunFile *file, i64 state_bytes) : writer_(file, {.shape = {0, state_bytes}}) {}

  // Writes blocks side by side: add(writer) adds them.
  template <typename Add>
  Status write(Add add, SealedBlocks *written) {
    const std::lock_guard lock(mutex_);
    written->first = writer_.totals().blocks;
    const i64 records = writer_.totals().records;
    Status status = add(&writer_);
    written->count = writer_.totals().blocks - written->first;
    written->keys = writer_.totals().records - records;
    return status;
  }
  // When all tiles are written. Once.
  Status finish() { return writer_.finish(); }
  bool is_empty() const { return writer_.totals().blocks == 0; }
  i64 bytes() const { return writer_.bytes(); }
  const std::vector<BlockInfo> &blocks() const { return writer_.blocks(); }

 private:
  std::mutex mutex_;
  RunWriter writer_;
};

// A block that is ready to be written.
struct SealedBlock {
  BlockInfo info;
  std::string records;
};

// Takes the groups of one tile, each key once, and writes them in partitions of the unseeded hash
// of their keys, and in each by key: what is kept must not depend on the seed of a run. One thread.
class SealedGroups : public GroupSink {
 public:
  // `keys`: how many will come at most; few are one partition. Positions in states are shifted by
  // so much. What takes more memory than that goes to `tmpdir` first.
  SealedGroups(const StateLayout &layout, i64 keys, u64 shift, const std::string &tmpdir,
               i64 memory_bytes);

  // Takes the states over.
  void take(Bytes key, const State *state) override;
  // An error of the temporary file, so far.
  const Status &status() const { return status_; }
  Status write(SealedRun *run, SealedBlocks *written);
  // What several have of one partition, as if one of them had taken all: each key is with one of
  // them only. Any thread, when they have taken all. REQUIRES: all have the same partitions
  static Result<std::vector<SealedBlock>> blocks_of(
      std::span<const std::unique_ptr<SealedGroups>> all, i64 partition);

 private:
  Status gather(i64 partition, Pages *buffer, std::string *records) const;
  Status write_partition(i64 partition, RunWriter *writer);

  const StateLayout &layout_;
  const u64 shift_;
  const i64 memory_bytes_;
  OverflowBuffer records_;
  std::string saved_;
  std::string gathered_, block_;
  Pages buffer_;
  Status status_ = Status::ok();
};

}  // namespace mrc
