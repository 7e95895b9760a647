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

}  // namespace mrc
