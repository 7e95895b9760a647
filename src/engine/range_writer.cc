#include "engine/range_writer.h"

namespace mrc {

Status RangeWriter::write(Formatter *formatter, OutputFile *file, WorkerPool *pool) {
  Status status = formatter->measures() ? measure(formatter) : Status::ok();
  std::string header;
  formatter->header(&header);
  if (status.is_ok()) status = file->write(header);
  if (!status.is_ok()) return status;
  if (limit_ >= 0) return write_first(*formatter, file);
  auto make = [&](i64 range, std::string *text, Drain *drain) {
    std::unique_ptr<RangeBuffers> buffers = borrow();
    Status loaded = runs_->load(range, buffers.get());
    if (!loaded.is_ok()) return loaded;
    formatter->stream(buffers->store.rows(), text, drain);
    rows_ += buffers->store.rows().size();
    give_back(std::move(buffers));
    return loaded;
  };
  return write_blocks(ranges_, make, file, pool);
}

// Buffers of a range that is done, or new ones.
std::unique_ptr<RangeBuffers> RangeWriter::borrow() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<RangeBuffers>(layout_);
  std::unique_ptr<RangeBuffers> buffers = std::move(free_.back());
  free_.pop_back();
  return buffers;
}

void RangeWriter::give_back(std::unique_ptr<RangeBuffers> buffers) {
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffers));
}

// Widths depend on all rows: they are read once more.
Status RangeWriter::measure(Formatter *formatter) {
  RangeBuffers buffers(layout_);
  i64 left = limit_ < 0 ? INT64_MAX : limit_;
  for (i64 range = 0; range < ranges_ && left > 0; ++range) {
    if (Status status = runs_->load(range, &buffers); !status.is_ok()) return status;
    const std::span<const Row> rows = first_rows(buffers, left);
    formatter->measure(rows);
    left -= std::ssize(rows);
  }
  return Status::ok();
}

Status RangeWriter::write_first(const Formatter &formatter, OutputFile *file) {
  RangeBuffers buffers(layout_);
  FileDrain drain(file);
  std::string text;
  for (i64 range = 0; range < ranges_ && rows_ < limit_ && !file->abandoned(); ++range) {
    if (Status status = runs_->load(range, &buffers); !status.is_ok()) return status;
    const std::span<const Row> rows = first_rows(buffers, limit_ - rows_);
    text.clear();
    formatter.stream(rows, &text, &drain);
    drain.take(&text);
    if (!drain.status().is_ok()) return drain.status();
    rows_ += std::ssize(rows);
  }
  return Status::ok();
}

std::span<const Row> RangeWriter::first_rows(RangeBuffers &buffers, i64 most) {
  const std::span<const Row> rows = buffers.store.rows();
  return rows.first(static_cast<size_t>(std::min<i64>(most, std::ssize(rows))));
}

}  // namespace mrc
