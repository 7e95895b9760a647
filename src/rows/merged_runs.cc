// Runs that other processes have put in order, each from its first block to its last. The first
// records of blocks are what ranges are cut by, as in runs of this process.
#include "map/sort_key.h"
#include "rows/row_runs.h"

#include <cstring>
#include <utility>

namespace mrc {
namespace {

// Whether the parts of a row's key (RowLayout) lie in it, with a position between them or without.
bool has_parts(const StoredRecord &record, const RowLayout::Parts &at) {
  const size_t size = record.key.size();
  const bool is_whole = at.payload_begin == 0 && at.identity_end == size;
  const size_t between = size_t{at.payload_begin} - at.identity_end;
  return is_whole || (at.payload_begin <= size && (between == 0 || between == 8));
}

// Positions are big-endian numbers between identity and payload; complemented if they descend.
void move_position(const RowLayout::Parts &at, bool descends, u64 shift, StoredRecord *record,
                   std::string *moved) {
  if (at.payload_begin <= at.identity_end) return;
  const u64 before = position_at(record->key.data() + at.identity_end);
  moved->assign(record->key.substr(0, at.identity_end));
  append_position(descends ? before - shift : before + shift, moved);
  moved->append(record->key.substr(at.payload_begin));
  record->key = *moved;
}

}  // namespace

// The prefix of a row depends on what the process that wrote it left out of prefixes.
Status RowRuns::adapt(const RunBlocks &run, StoredRecord *record, std::string *moved) const {
  const Status foreign =
      Status::error(run.file->name() + ": its rows are not those of this job; it is damaged");
  if (!record->is_state || !record->var.empty()) return foreign;
  if (layout_.parts) {
    RowLayout::Parts at;
    std::memcpy(&at, record->fixed + layout_.parts_at, sizeof at);
    if (!has_parts(*record, at)) return foreign;
    if (run.shift != 0) move_position(at, order_.descending, run.shift, record, moved);
  }
  record->hash = order_prefix(order_, record->key, 0);
  return Status::ok();
}

// A damaged record in front is found when its block is loaded, as each block is by some range:
// marks ascend. Only if the first ranges are enough, its block has to be checked here.
Result<RowRuns::Mark> RowRuns::mark_of_first(const RunBlocks &run, size_t block,
                                             Pages *buffer) const {
  if (order_.limit >= 0) {
    Result<Bytes> checked = read_block(*run.file, shape(), run.info(block), buffer);
    if (!checked.is_ok()) return checked.status();
  }
  Result<StoredRecord> record = read_first_record(*run.file, shape(), run.info(block), buffer);
  if (!record.is_ok()) return record.status();
  std::string moved;
  if (Status status = adapt(run, &*record, &moved); !status.is_ok()) return status;
  RowStore first(layout_, KeyBytes::borrowed);
  add_row(*record, &first);
  return mark(first.rows()[0], record->hash);
}

Status RowRuns::adopt(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift) {
  if (blocks.empty()) return Status::ok();
  const Adopted *adopted;
  {
    const std::lock_guard lock(mutex_);
    adopted = &adopted_.emplace_back(Adopted{file, std::move(blocks)});
  }
  RunBlocks run{file, &adopted->blocks, 0, {}, true, shift};
  Pages buffer;
  for (size_t block = 0; block < adopted->blocks.size(); ++block) {
    Result<Mark> next = mark_of_first(run, block, &buffer);
    if (!next.is_ok()) return next.status();
    if (block > 0 && compare(next->prefix, next->key, run.marks.back()) < 0) {
      return Status::error(file->name() + ": its rows are not in order; it is damaged");
    }
    run.marks.push_back(std::move(*next));
  }
  add(std::move(run));
  return Status::ok();
}

}  // namespace mrc
