// store: a run to which several workers write the results of tiles.
#pragma once

#include "store/store.h"

#include <mutex>
#include <span>
#include <vector>

namespace mrc {

// The blocks of a run that belong to a tile.
struct SealedBlocks {
  i64 first = 0, count = 0;
  i64 keys = 0;
};

// A block of any complete or growing run.
struct StoredBlock {
  const RunFile *file;
  BlockInfo info;
};

// A run to which several workers write tiles, one tile at a time. Thread safe.
class SealedRun {
 public:
  // REQUIRES: `file` outlives this; nothing else writes to it
  SealedRun(const RunFile *file, RecordShape shape)
      : shape_(shape), writer_(file, {.shape = shape}) {}

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
  // Copies blocks of other runs, whose records have the same shape.
  Status copy(std::span<const StoredBlock> blocks, SealedBlocks *written);
  // Completes the run. Called once, when all tiles are written.
  Status finish() { return writer_.finish(); }
  bool is_empty() const { return writer_.totals().blocks == 0; }
  i64 bytes() const { return writer_.bytes(); }
  const std::vector<BlockInfo> &blocks() const { return writer_.blocks(); }

 private:
  const RecordShape shape_;
  std::mutex mutex_;
  RunWriter writer_;
};

}  // namespace mrc
