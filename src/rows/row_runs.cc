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

// Runs that outlive the process that writes them: a job that resumes after a crash adopts them.
//
// Reads all blocks of an adopted file once, to find where each run ends.

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
