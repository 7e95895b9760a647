// Adopts runs that other processes have sorted, each from its first block to its last. Ranges are
// cut by the first records of blocks, as for runs of this process.
#include "rows/inner/row_runs.h"

#include <utility>

namespace mrc {

// Checks a block, unless all blocks will be loaded, and thereby checked, by some range. If there is
// a limit, some blocks may not be loaded.
Status RowRuns::check_block(const RowRun &run, size_t block, Pages *buffer) const {
  if (records_.order().limit < 0) return Status::ok();
  return read_block(*run.file, records_.shape(), run.info(block), buffer).status();
}

Status RowRuns::adopt(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift) {
  if (blocks.empty()) return Status::ok();
  const RowRun run = add_adopted(file, std::move(blocks), shift);
  Pages buffer;
  std::string moved, last;
  u64 last_prefix = 0;
  for (size_t block = 0; block < run.size; ++block) {
    if (Status status = check_block(run, block, &buffer); !status.is_ok()) return status;
    const Result<StoredRecord> first = records_.read_first(run, block, &buffer, &moved);
    if (!first.is_ok()) return first.status();
    const bool descends =
        first->hash < last_prefix ||
        (first->hash == last_prefix && records_.compare_keys(first->key, last) < 0);
    if (block > 0 && descends) {
      return Status::error(file->name() + ": its rows are not in order; it is damaged");
    }
    last_prefix = first->hash;
    last = first->key;
  }
  add(run);
  return Status::ok();
}

}  // namespace mrc
