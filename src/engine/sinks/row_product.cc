#include "engine/sinks/row_product.h"

#include "rows/record_rows.h"

#include <mutex>
#include <utility>

namespace mrc {

RowProduct::RowProduct(Run *run, OrderedRows *rows, i64 worker, BadRecordSink *bad,
                       PartFiles *files, SavedParts *saved)
    : run_(*run),
      rows_(*rows),
      worker_(worker),
      files_(files),
      saved_(*saved),
      store_(std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied)),
      rows_of_(make_chunk_rows(*run->program.sort, run->program.map.fields, *run->plan.scanner,
                               rows_.order(), run->readers.get(), bad)) {}

Status RowProduct::take(const Chunk &chunk, i64 *records) {
  *records += rows_of_->add(chunk, store_.get());
  store_->thin_out(rows_.order());
  if (files_ != nullptr) return make_room();
  const i64 before = store_->rows().size();
  Status status = rows().relieve(store_.get());
  has_spilled_ |= store_->rows().size() < before;
  return status;
}

Status RowProduct::hand_over(bool) {
  rows_.add(worker_, std::move(store_));
  return Status::ok();
}

Result<std::shared_ptr<SavedPart>> RowProduct::save(bool *emptied) {
  Status status = write();
  if (status.is_ok() && runs_ != nullptr) status = RowRuns::finish(runs_);
  if (!status.is_ok()) return status;  // the rows are still here
  *emptied = true;
  runs_ = nullptr;
  return std::exchange(part_, nullptr);
}

void RowProduct::begin_tile() {
  tile_ = rows_.make_part();
  store_ = std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied);
}

Result<std::unique_ptr<TileProduct>> RowProduct::end_tile() {
  tile_->add(0, std::move(store_));
  return std::unique_ptr<TileProduct>(std::make_unique<RowTile>(std::move(tile_)));
}

Status RowProduct::make_room() {
  if (!rows_.is_large(store_.get())) return Status::ok();
  if (!files_->has_failed()) {
    const Status written = write();
    if (written.is_ok()) return written;
    if (Status status = files_->fail(written); !status.is_ok()) return status;
  }
  return rows_.relieve(store_.get());
}

// Writes the rows to the next part.
Status RowProduct::write() {
  if (store_->rows().empty()) return Status::ok();
  if (!part_) {
    Result<std::shared_ptr<SavedPart>> created = files_->create();
    if (!created.is_ok()) return created.status();
    part_ = std::move(*created);
    runs_ = rows_.lend(&part_->file);
    const std::lock_guard lock(run_.mutex);
    saved_.push_back(part_);
  }
  return rows_.save(store_.get(), runs_);
}

}  // namespace mrc
