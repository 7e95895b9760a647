// Runs that outlive the process that writes them: a job that resumes after a crash adopts them.
//
// Reads all blocks of an adopted file once, to find where each run ends.
#include "rows/inner/row_runs.h"

#include <utility>

namespace mrc {

RowRuns::File *RowRuns::lend(const RunFile *file) {
  const std::lock_guard lock(mutex_);
  return &saved_.emplace_back(file, header());
}

Status RowRuns::finish(File *file) { return file->writer.finish(); }

RowRun RowRuns::add_adopted(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift) {
  const std::lock_guard lock(mutex_);
  const Adopted &adopted = adopted_.emplace_back(Adopted{file, std::move(blocks)});
  return {file, &adopted.blocks, 0, adopted.blocks.size(), true, shift};
}

Status RowRuns::adopt(const RunFile *file) {
  const Result<RunReader> reader = RunReader::open(file);
  if (!reader.is_ok()) return reader.status();
  if (reader->header().shape != records_.shape()) {
    return Status::error(file->name() + ": its rows are not those of this job");
  }
  Result<std::vector<RowRun>> runs = find_runs(add_adopted(file, reader->blocks(), 0));
  if (!runs.is_ok()) return runs.status();
  for (const RowRun &run : *runs) add(run);
  return Status::ok();
}

// A run ends where a row comes before its predecessor.
Result<std::vector<RowRun>> RowRuns::find_runs(const RowRun &all) const {
  std::vector<RowRun> runs;
  Pages buffer;
  std::string last;
  for (size_t i = 0; i < all.size; ++i) {
    Result<Bytes> records = read_block(*all.file, records_.shape(), all.info(i), &buffer);
    if (!records.is_ok()) return records.status();
    const auto *at = reinterpret_cast<const std::byte *>(records->data());
    const auto *end = at + records->size();
    StoredRecord record;
    at = read_record(at, records_.shape(), &record);
    if (i == 0 || records_.compare_keys(record.key, last) < 0) {
      runs.push_back({all.file, all.blocks, i, 0, true});
    }
    ++runs.back().size;
    while (at < end) at = read_record(at, records_.shape(), &record);
    last = record.key;
  }
  return runs;
}

// Adopts runs that other processes have sorted, each from its first block to its last. Ranges are
// cut by the first records of blocks, as for runs of this process.

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
