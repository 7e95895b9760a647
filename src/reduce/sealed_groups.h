// reduce: writes the groups of a tile as STATE records that outlive the run. All states that are
// kept, leave the process or are shown early have this form (mrc-state(5)).
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

// The blocks of a run that belong to a tile.
struct SealedBlocks {
  i64 first = 0, count = 0;
  i64 keys = 0;
};

// A run to which several workers write tiles, one tile at a time. Thread safe.
class SealedRun {
 public:
  // REQUIRES: `file` outlives this; nothing else writes to it
  SealedRun(const RunFile *file, i64 state_bytes) : writer_(file, {.shape = {0, state_bytes}}) {}

  // Calls add(writer), which adds adjacent blocks.
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
  // Completes the run. Called once, when all tiles are written.
  Status finish() { return writer_.finish(); }
  bool is_empty() const { return writer_.totals().blocks == 0; }
  i64 bytes() const { return writer_.bytes(); }
  const std::vector<BlockInfo> &blocks() const { return writer_.blocks(); }

 private:
  std::mutex mutex_;
  RunWriter writer_;
};

// A block, ready to be written.
struct SealedBlock {
  BlockInfo info;
  std::string records;
};

// Takes the groups of one tile, each key once. Writes them by partitions of the unseeded hash of
// their keys, and within a partition by key, because kept states must not depend on the seed of a
// run. Not thread safe.
class SealedGroups : public GroupSink {
 public:
  // `keys` is an upper bound of the number of keys; few keys are one partition. Positions in states
  // are shifted by `shift`. Records beyond `memory_bytes` go to `tmpdir` first.
  SealedGroups(const StateLayout &layout, i64 keys, u64 shift, const std::string &tmpdir,
               i64 memory_bytes);

  // Takes over the state.
  void take(Bytes key, const State *state) override;
  // The first error of the temporary file.
  const Status &status() const { return status_; }
  Status write(SealedRun *run, SealedBlocks *written);
  // Returns the blocks of one partition as if one of `all` had taken all groups. Any thread.
  // REQUIRES: all groups have been taken, each key by one of `all`; all have the same partitions
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
