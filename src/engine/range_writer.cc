#include "engine/range_writer.h"

namespace mrc {

Status RangeWriter::write(Formatter *formatter, OutputFile *file, WorkerPool *pool) {
  Status status = formatter->measures() ? measure(formatter) : Status::ok();
  std::string header;
  formatter->header(&header);
  if (status.is_ok()) status = file->write(header);
  if (!status.is_ok()) return status;
  if (limit_ >= 0) return write_first(*formatter, file);
  auto make = [&](i64 range, std::string *text) -> Status {
    RowStore store(layout_, KeyBytes::copied);
    Result<Rows> rows = runs_->load(range, &store);
    if (!rows.is_ok()) return rows.status();
    formatter->rows(*rows, text);
    rows_ += rows->size();
    return Status::ok();
  };
  return write_blocks(ranges_, make, file, pool);
}

// Widths depend on all rows: they are read once more.
Status RangeWriter::measure(Formatter *formatter) {
  i64 left = limit_ < 0 ? INT64_MAX : limit_;
  for (i64 range = 0; range < ranges_ && left > 0; ++range) {
    RowStore store(layout_, KeyBytes::copied);
    Result<Rows> rows = runs_->load(range, &store);
    if (!rows.is_ok()) return rows.status();
    const i64 shown = std::min<i64>(left, rows->size());
    formatter->measure(std::span<const Row>(*rows).first(static_cast<size_t>(shown)));
    left -= shown;
  }
  return Status::ok();
}

Status RangeWriter::write_first(const Formatter &formatter, OutputFile *file) {
  std::string text;
  for (i64 range = 0; range < ranges_ && rows_ < limit_ && !file->abandoned(); ++range) {
    RowStore store(layout_, KeyBytes::copied);
    Result<Rows> rows = runs_->load(range, &store);
    if (!rows.is_ok()) return rows.status();
    const i64 shown = std::min<i64>(limit_ - rows_, rows->size());
    text.clear();
    formatter.rows(std::span<const Row>(*rows).first(static_cast<size_t>(shown)), &text);
    if (Status status = file->write(text); !status.is_ok()) return status;
    rows_ += shown;
  }
  return Status::ok();
}

}  // namespace mrc
