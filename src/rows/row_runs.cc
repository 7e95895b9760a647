#include "rows/inner/row_runs.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

constexpr size_t kFetchAhead = 16;

// Drops rows that cannot be in the output, so that they are not written.
void drop_unwanted(const Order &order, const RowLayout &layout, Rows *rows) {
  if (order.unique) drop_repeated(layout, rows);
  if (order.limit >= 0 && order.limit < rows->size()) rows->truncate(order.limit);
}

}  // namespace

Status RowRuns::spill(RowStore *store) {
  if (store->rows().empty()) return Status::ok();
  Result<File *> file = acquire_file();
  if (!file.is_ok()) return file.status();
  const i64 rows = store->rows().size();
  const i64 before = (*file)->writer.bytes();
  Status status = save(store, *file);
  std::lock_guard lock(mutex_);
  (*file)->busy = false;
  bytes_ += (*file)->writer.bytes() - before;
  if (status.is_ok()) rows_ += rows;
  return status;
}

Status RowRuns::save(RowStore *store, File *to) {
  Rows &rows = store->rows();
  sort_range(rows, records_.order(), records_.layout());
  drop_unwanted(records_.order(), records_.layout(), &rows);
  RowRun run{to->file, &to->writer.blocks(), to->writer.blocks().size()};
  Status status = write_rows(rows, 0, &to->writer);
  if (!status.is_ok()) {  // sorting has overwritten the prefixes
    for (Row &row : rows) row.prefix = records_.prefix_of(row);
    return status;
  }
  run.size = to->writer.blocks().size() - run.first;
  add(run);
  store->clear();
  return status;
}

RunHeader RowRuns::header() const {
  RunHeader header;
  header.shape = records_.shape();
  return header;
}

Result<RowRuns::File *> RowRuns::acquire_file() {
  {
    std::lock_guard lock(mutex_);
    for (File &file : files_) {
      if (!std::exchange(file.busy, true)) return &file;
    }
  }
  return open_file();
}

Result<RowRuns::File *> RowRuns::open_file() {
  Result<RunFile> opened = RunFile::temporary(tmpdir_);
  if (!opened.is_ok()) return opened.status();
  std::lock_guard lock(mutex_);
  files_.emplace_back(std::move(*opened), header()).busy = true;
  return &files_.back();
}

void RowRuns::add(const RowRun &run) {
  const std::lock_guard lock(mutex_);
  runs_.push_back(run);
}

void RowRuns::take_over(RowRuns *other) {
  files_.splice(files_.end(), other->files_);
  runs_.insert(runs_.end(), other->runs_.begin(), other->runs_.end());
  other->runs_.clear();
  rows_ += std::exchange(other->rows_, 0);
  bytes_ += std::exchange(other->bytes_, 0);
}

Status RowRuns::write_rows(std::span<const Row> rows, u64 shift, RunWriter *writer) const {
  std::vector<std::byte> records;
  for (size_t i = 0; i < rows.size();) {
    u64 prefix = records_.prefix_of(rows[i]);
    BlockInfo block;
    block.lo = prefix;
    records.clear();
    for (; i < rows.size() && std::ssize(records) < block_bytes_; ++i, ++block.records) {
      if (i + kFetchAhead < rows.size()) {  // sorted rows are scattered in memory
        const char *ahead = records_.layout().data(rows[i + kFetchAhead]);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + 64);
      }
      prefix = records_.prefix_of(rows[i]);
      records_.append(rows[i], prefix, shift, &records);
    }
    block.hi = prefix;
    const Bytes payload(reinterpret_cast<const char *>(records.data()), records.size());
    Status status = writer->add_block(block, payload);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

std::unique_ptr<RunRanges> RowRuns::ranges() const {
  return std::make_unique<RunRanges>(records_, runs_);
}

// Merges groups of runs, all workers at the same time, into no fewer runs than needed.
Status RowRuns::merge(i64 range_bytes, WorkerPool *pool) {
  constexpr i64 kLeastRuns = 16, kMostRuns = 256, kRunsPerBlock = 4;
  const i64 most = std::clamp(kRunsPerBlock * range_bytes / block_bytes_, kLeastRuns, kMostRuns);
  while (runs() > most) {
    const i64 excess = runs() - most;
    const i64 each = std::min((excess + pool->size() - 1) / pool->size() + 1, most);
    const i64 groups = std::min({(excess + each - 2) / (each - 1), pool->size(), runs() / each});
    std::vector<RowRun> merged(static_cast<size_t>(groups));
    Status status = pool->run_each(groups, [&](i64 i) {
      const auto first = runs_.begin() + i * each;
      Result<RowRun> one = merge_into_one({first, first + each}, range_bytes);
      if (one.is_ok()) merged[static_cast<size_t>(i)] = *one;
      return one.is_ok() ? Status::ok() : one.status();
    });
    if (!status.is_ok()) return status;
    runs_.erase(runs_.begin(), runs_.begin() + groups * each);
    runs_.insert(runs_.end(), merged.begin(), merged.end());
    drop_merged_files();
  }
  return Status::ok();
}

// Writes to a new file, because other threads read the block index of the files that they merge.
Result<RowRun> RowRuns::merge_into_one(std::vector<RowRun> runs, i64 range_bytes) {
  const Result<File *> file = open_file();
  if (!file.is_ok()) return file.status();
  RunWriter &writer = (*file)->writer;
  RunRanges ranges(records_, std::move(runs));
  if (Status status = ranges.cut(range_bytes); !status.is_ok()) return status;
  RangeBuffers buffers(records_.layout());
  for (i64 range = 0; range < ranges.size(); ++range) {
    Status status = ranges.load(range, &buffers);
    if (status.is_ok()) status = write_rows(buffers.store.rows(), 0, &writer);
    if (!status.is_ok()) return status;
  }
  const std::lock_guard lock(mutex_);
  bytes_ += writer.bytes();
  return RowRun{(*file)->file, &writer.blocks(), 0, writer.blocks().size()};
}

void RowRuns::drop_merged_files() {
  files_.remove_if([this](const File &file) {
    return std::ranges::none_of(runs_, [&](const RowRun &run) { return run.file == file.file; });
  });
}

}  // namespace mrc
