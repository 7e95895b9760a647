// Rows of workers: the product of one worker, and the answer of all.
#pragma once

#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "rows/ordered_rows.h"
#include "rows/record_rows.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace mrc {

// The rows of one worker, with the sort keys of records.

// The rows of one worker in a tile.
struct RowTile : TileProduct {
  explicit RowTile(std::unique_ptr<OrderedRows> of) : rows(std::move(of)) {}
  std::unique_ptr<OrderedRows> rows;
};

// Rows that do not fit in memory become sorted runs. Those that are saved go to the next part at
// once. No part is read before the scan ends.
class RowProduct : public Product {
 public:
  // `rows_of` makes rows of chunks. `files`: null: rows are not saved. `saved` takes the parts,
  // from which `rows` reads. All other arguments outlive this.
  RowProduct(Run *run, OrderedRows *rows, i64 worker, std::unique_ptr<ChunkRows> rows_of,
             PartFiles *files, SavedParts *saved);

  Status take(const Chunk &chunk, i64 *records) override;
  void begin_unit(const Unit &unit) override { rows_of_->begin_unit(unit); }
  Status end_unit() override { return rows_of_->end_unit(); }
  Status hand_over(bool whole) override;
  Result<std::shared_ptr<SavedPart>> save(bool *emptied) override;
  void begin_tile() override;
  Result<std::unique_ptr<TileProduct>> end_tile() override;

  // For interim answers:
  RowStore *store() { return store_.get(); }
  // True if rows are not in the store, but on disk.
  bool has_spilled() const { return has_spilled_; }

 private:
  OrderedRows &rows() { return tile_ ? *tile_ : rows_; }
  Status relieve();
  Status make_room();
  Status write();

  Run &run_;
  OrderedRows &rows_;
  const i64 worker_;
  PartFiles *files_;
  SavedParts &saved_;
  std::unique_ptr<OrderedRows> tile_;  // null: rows are not kept by tiles
  std::unique_ptr<RowStore> store_;
  std::unique_ptr<ChunkRows> rows_of_;
  bool has_spilled_ = false;
  std::shared_ptr<SavedPart> part_;  // the next one; null: it has no rows yet
  RowRuns::File *runs_ = nullptr;    // of that part
};

// Rows of workers that other runs and processes add to.
class RowProducts : public Products {
 public:
  RowProducts(Run *run, OrderedRows::Spec spec)
      : run_(*run), rows_(std::move(spec), run->pool.size()) {}

  std::unique_ptr<Product> make_product(i64 worker, BadRecordSink *bad, PartFiles *files) override {
    return std::make_unique<RowProduct>(&run_, &rows_, worker, make_rows_of(bad), files, &saved_);
  }
  // The parts of this process need no adoption: rows_ has written them, and reads them.
  Status adopt(SavedParts others, SavedParts own) override;
  RecordShape kept_shape() const override { return {0, rows_.layout().state_bytes}; }
  Status seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) override;
  Status merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
               SealedBlocks *written) override;
  Status load(std::span<const KeptStretch> tiles) override;

 protected:
  // Makes what makes rows of chunks, for one worker.
  virtual std::unique_ptr<ChunkRows> make_rows_of(BadRecordSink *bad) = 0;

  Run &run_;
  SavedParts saved_;  // rows_ reads from them
  OrderedRows rows_;
};

// Makes a hand that adds the sort keys of records to the sample. `rows_of` makes what makes rows of
// chunks; the order outlives that.
std::unique_ptr<Hand> make_row_sampler(
    const RowLayout &layout, const Order &order, Sample *sample,
    const std::function<std::unique_ptr<ChunkRows>(const Order &order)> &rows_of);

// Makes an answer of the rows of workers.

// Sorts the rows, unless `sorted` has them in order already. They must outlive the answer.
Result<Answer> answer_of(OrderedRows *rows, std::unique_ptr<Formatter> formatter, Run *run,
                         std::optional<Rows> sorted = {});
// Returns the header of the first input that has one, if the program wants it, for records that are
// printed unchanged. May be empty.
std::string record_header(const Run &run);
// Returns the rows as text, with their header.
std::string text_of(std::span<const Row> rows, Formatter *formatter);
// Makes an answer of one number.
Answer answer_of(i64 number, Run *run);

}  // namespace mrc
