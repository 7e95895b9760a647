// Runs that outlive the process which writes them: a job that goes on after a crash adopts them.
//
// The index of a run, which ranges are cut by, is in the memory of its writer. So all blocks of an
// adopted file are read once before: that shows which rows they begin with, and where one run ends
// and the next begins.
#include "rows/row_runs.h"

#include <optional>
#include <utility>

namespace mrc {

RowRuns::File *RowRuns::lend(const RunFile *file) {
  const std::lock_guard lock(mutex_);
  return &saved_.emplace_back(file, header());
}

void RowRuns::add(RunBlocks run) {
  const std::lock_guard lock(mutex_);
  runs_.push_back(std::move(run));
}

Status RowRuns::save(RowStore *store, File *to) {
  Rows &rows = store->rows();
  sort_range(rows, order_, layout_);
  // Of all rows, no others can be in the answer.
  if (order_.unique) drop_repeated(layout_, &rows);
  if (order_.limit >= 0 && order_.limit < rows.size()) rows.truncate(order_.limit);
  RunBlocks run{to->file, &to->writer.blocks(), to->writer.blocks().size(), {}};
  Status status = write_run(rows, &to->writer, &run.marks);
  if (!status.is_ok()) {  // sorting has used the prefixes up
    for (Row &row : rows) row.prefix = prefix_of(row);
    return status;
  }
  add(std::move(run));
  store->clear();
  return status;
}

Status RowRuns::finish(File *file) { return file->writer.finish(); }

Status RowRuns::adopt(const RunFile *file) {
  const Result<RunReader> reader = RunReader::open(file);
  if (!reader.is_ok()) return reader.status();
  if (reader->header().shape != shape()) {
    return Status::error(file->name() + ": its rows are not those of this job");
  }
  const Adopted *adopted;
  {
    const std::lock_guard lock(mutex_);
    adopted = &adopted_.emplace_back(Adopted{file, reader->blocks()});
  }
  Result<std::vector<RunBlocks>> runs = find_runs(*adopted);
  if (!runs.is_ok()) return runs.status();
  for (RunBlocks &run : *runs) add(std::move(run));
  return Status::ok();
}

// A run ends where the next row comes before its last.
Result<std::vector<RowRuns::RunBlocks>> RowRuns::find_runs(const Adopted &adopted) const {
  std::vector<RunBlocks> runs;
  RowStore first(layout_, KeyBytes::copied);
  Pages buffer;
  std::string last;
  for (size_t i = 0; i < adopted.blocks.size(); ++i) {
    Result<Bytes> records = read_block(*adopted.file, shape(), adopted.blocks[i], &buffer);
    if (!records.is_ok()) return records.status();
    const auto *at = reinterpret_cast<const std::byte *>(records->data());
    const auto *end = at + records->size();
    StoredRecord record;
    at = read_record(at, shape(), &record);
    const int order = record.key.compare(last);
    if (i == 0 || (order_.descending ? order > 0 : order < 0)) {
      runs.push_back({adopted.file, &adopted.blocks, i, {}, true});
    }
    first.clear();
    add_row(record, &first);
    const Row &row = first.rows()[0];
    runs.back().marks.push_back(mark(row, prefix_of(row)));
    while (at < end) at = read_record(at, shape(), &record);
    last = record.key;
  }
  return runs;
}

}  // namespace mrc
