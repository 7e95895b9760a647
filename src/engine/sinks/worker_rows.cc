#include "engine/sinks/worker_rows.h"

#include "engine/inner/sample.h"
#include "fields/input_readers.h"
#include "kept/merge_partials.h"
#include "rows/order_key.h"
#include "rows/record_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace mrc {

RowProduct::RowProduct(Run *run, OrderedRows *rows, i64 worker, std::unique_ptr<ChunkRows> rows_of,
                       PartFiles *files, SavedParts *saved)
    : run_(*run),
      rows_(*rows),
      worker_(worker),
      files_(files),
      saved_(*saved),
      store_(std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied)),
      rows_of_(std::move(rows_of)) {}

Status RowProduct::take(const Chunk &chunk, i64 *records) {
  *records += rows_of_->add(chunk, store_.get());
  store_->thin_out(rows_.order());
  if (files_ != nullptr) return make_room();
  const i64 before = store_->rows().size();
  Status status = relieve();
  has_spilled_ |= store_->rows().size() < before;
  return status;
}

Status RowProduct::relieve() {
  if (!rows().is_large(store_.get())) return Status::ok();
  rows_of_->settle(store_.get());
  return rows().relieve(store_.get());
}

Status RowProduct::hand_over(bool whole) {
  if (whole) rows_of_->settle(store_.get());
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

Status RowProducts::adopt(SavedParts others, SavedParts) {
  std::ranges::copy(others, std::back_inserter(saved_));
  return run_.pool.run_each(std::ssize(others), [&](i64 i) {
    return rows_.adopt(&others[static_cast<size_t>(i)]->file);
  });
}

namespace {

OrderedRows &rows_of(const std::unique_ptr<TileProduct> &part) {
  return *static_cast<RowTile *>(part.get())->rows;
}

Status adopt_tile(const KeptStretch &tile, OrderedRows *rows) {
  if (tile.blocks.empty()) return Status::ok();
  std::vector<BlockInfo> blocks;
  for (const StoredBlock &block : tile.blocks) blocks.push_back(block.info);
  return rows->adopt(tile.blocks.front().file, std::move(blocks), tile.origin);
}

}  // namespace

Status RowProducts::seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) {
  OrderedRows &rows = rows_of(parts.front());
  for (size_t i = 1; i < parts.size(); ++i) rows.take_over(&rows_of(parts[i]));
  return rows.write(-origin, run, written);
}

Status RowProducts::merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
                          SealedBlocks *written) {
  const std::unique_ptr<OrderedRows> rows = rows_.make_part();
  for (const KeptStretch &tile : tiles) {
    Status status = adopt_tile(tile, rows.get());
    if (!status.is_ok()) return status;
  }
  return rows->write(-origin, run, written);
}

Status RowProducts::load(std::span<const KeptStretch> tiles) {
  return run_.pool.run_each(
      std::ssize(tiles), [&](i64 i) { return adopt_tile(tiles[static_cast<size_t>(i)], &rows_); });
}

namespace {

class RowSampler : public Hand {
 public:
  RowSampler(const RowLayout &layout, const Order &order, Sample *sample,
             const std::function<std::unique_ptr<ChunkRows>(const Order &order)> &rows_of)
      : sample_(*sample),
        layout_(layout),
        order_(order),
        store_(layout_, KeyBytes::copied),
        rows_(rows_of(order_)) {}

  Status take(const Chunk &chunk, i64 *records) override {
    *records += rows_->add(chunk, &store_);
    for (const Row &row : store_.rows()) {
      const Bytes key = layout_.key(row);
      sample_.key_bytes += static_cast<i64>(key.size());
      prefix_.add(key);
      if (sample_.splitters) sample_.splitters->push_back(splitter_at(row, layout_));
    }
    store_.clear();
    return Status::ok();
  }
  Status seal(bool) override {
    sample_.common_prefix = prefix_.bytes();
    return Status::ok();
  }

 private:
  Sample &sample_;
  const RowLayout layout_;
  const Order order_;
  RowStore store_;
  std::unique_ptr<ChunkRows> rows_;
  CommonPrefix prefix_;
};

}  // namespace

std::unique_ptr<Hand> make_row_sampler(
    const RowLayout &layout, const Order &order, Sample *sample,
    const std::function<std::unique_ptr<ChunkRows>(const Order &order)> &rows_of) {
  return std::make_unique<RowSampler>(layout, order, sample, rows_of);
}

namespace {

// Returns the format of the input with the header, or null.
const Dialect *dialect_with_header(const Run &run) {
  if (run.program.partial.merged) return run.program.partial.merged->header();
  const i64 source = run.readers ? run.readers->first_with_header() : -1;
  return source < 0 ? nullptr : run.readers->dialect(source);
}

}  // namespace

Result<Answer> answer_of(OrderedRows *rows, std::unique_ptr<Formatter> formatter, Run *run,
                         std::optional<Rows> sorted) {
  run->timer.begin("sort");
  Answer answer{.formatter = std::move(formatter)};
  if (rows->on_disk()) {
    Result<std::unique_ptr<RowSource>> loaded = rows->load(&run->pool);
    if (!loaded.is_ok()) return loaded.status();
    answer.rows = std::move(*loaded);
    run->report.spilled_rows = rows->spilled_rows();
    run->report.spilled_row_bytes = rows->spilled_bytes();
    return answer;
  }
  // A formatter that measures needs all rows before the first is written.
  const bool overlaps = run->program.switches.async_output && !sorted &&
                        !answer.formatter->measures() && !answer.formatter->is_costly();
  if (overlaps) {
    Result<std::unique_ptr<RowsOfRanges>> ranges = rows->divide(&run->pool);
    if (!ranges.is_ok()) return ranges.status();
    if (*ranges) {
      answer.unsorted = [source = ranges->get()] { return source->unsorted(); };
      answer.rows = std::move(*ranges);
      return answer;
    }
  }
  Result<Rows> in_order = sorted ? Result<Rows>(std::move(*sorted)) : rows->sort(&run->pool);
  if (!in_order.is_ok()) return in_order.status();
  const i64 limit = run->program.order.limit;  // not before: a plugin that looks at rows needs all
  if (limit >= 0 && limit < in_order->size()) in_order->truncate(limit);
  const i64 block = rows_of_block(*answer.formatter, in_order->size(), run->pool.size());
  answer.rows = rows_in_memory(std::move(*in_order), block);
  return answer;
}

std::string record_header(const Run &run) {
  std::string header;
  if (!run.program.shape.header) return header;
  const Dialect *dialect = dialect_with_header(run);
  if (dialect != nullptr) append_record_header(*dialect, run.program.shape, &header);
  return header;
}

Answer answer_of(i64 number, Run *run) {
  run->report.rows = 1;
  return {.text = fmt::format("{}{}", number, run->program.shape.terminator)};
}

std::string text_of(std::span<const Row> rows, Formatter *formatter) {
  std::string text;
  if (formatter->measures()) formatter->measure(rows);
  formatter->header(&text);
  formatter->rows(rows, &text);
  return text;
}

}  // namespace mrc
