#include "rows/ordered_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mrc {

OrderedRows::OrderedRows(Spec spec, i64 workers)
    : OrderedRows(std::move(spec), workers, std::make_shared<Memory>(workers)) {}

OrderedRows::OrderedRows(Spec spec, i64 workers, std::shared_ptr<Memory> memory)
    : spec_(std::move(spec)),
      runs_(spec_.order, spec_.layout, spec_.states, spec_.tmpdir, spec_.share),
      memory_(std::move(memory)),
      stores_(static_cast<size_t>(workers)) {}

// Half of the memory is for parts that wait for those of other workers.
std::unique_ptr<OrderedRows> OrderedRows::make_part() const {
  Spec spec = spec_;
  spec.share /= 2;
  return std::unique_ptr<OrderedRows>(new OrderedRows(std::move(spec), 1, memory_));
}

void OrderedRows::take_over(OrderedRows *part) {
  runs_.take_over(&part->runs_);
  std::ranges::move(part->stores_, std::back_inserter(stores_));
  part->stores_.clear();
}

bool OrderedRows::is_large(RowStore *store) {
  count(store);
  return store->used_bytes() > spec_.share / 2 &&
         memory_->used / memory_->workers > spec_.share / 2;
}

Status OrderedRows::relieve(RowStore *store) {
  if (!is_large(store)) return Status::ok();
  Status status = runs_.spill(store);
  count(store);
  return status;
}

Status OrderedRows::save(RowStore *store, RowRuns::File *to) {
  Status status = runs_.save(store, to);
  count(store);
  return status;
}

void OrderedRows::clear() {
  for (auto &store : stores_) store.reset();
}

std::vector<RowStore *> OrderedRows::filled_stores() {
  std::vector<RowStore *> all;
  for (const auto &store : stores_) {
    if (store) all.push_back(store.get());
  }
  return all;
}

Result<Rows> OrderedRows::sort(WorkerPool *pool) {
  return sort_rows(filled_stores(), spec_.order, spec_.layout, pool);
}

Result<std::unique_ptr<RowsOfRanges>> OrderedRows::divide(WorkerPool *pool) {
  const std::vector<RowStore *> stores = filled_stores();
  if (!is_worth_dividing(stores, spec_.order)) return std::unique_ptr<RowsOfRanges>();
  Result<RowRanges> ranges = divide_rows(stores, spec_.order, spec_.layout, pool);
  if (!ranges.is_ok()) return ranges.status();
  return std::make_unique<RowsOfRanges>(std::move(*ranges), spec_.order, spec_.layout);
}

std::unique_ptr<RowStore> OrderedRows::take(i64 worker) {
  std::unique_ptr<RowStore> &store = stores_[static_cast<size_t>(worker)];
  return store ? std::move(store) : std::make_unique<RowStore>(spec_.layout, KeyBytes::copied);
}

i64 OrderedRows::used_bytes() {
  i64 bytes = 0;
  for (const RowStore *store : filled_stores()) bytes += store->used_bytes();
  return bytes;
}

Result<std::unique_ptr<RunRanges>> OrderedRows::all_on_disk(i64 range_bytes, WorkerPool *pool) {
  for (RowStore *store : filled_stores()) {
    if (Status status = runs_.spill(store); !status.is_ok()) return status;
    count(store);
  }
  clear();
  if (Status status = runs_.merge(range_bytes, pool); !status.is_ok()) return status;
  return runs_.ranges();
}

// Sorts before the run is locked, unless rows are on disk: those are sorted range by range.
Status OrderedRows::write(u64 shift, SealedRun *to, SealedBlocks *written) {
  WorkerPool pool(1);
  Result<std::unique_ptr<RowSource>> rows = in_order(&pool);
  if (!rows.is_ok()) return rows.status();
  const auto add = [&](RunWriter *writer) {
    Status status = Status::ok();
    for (i64 block = 0; block < (*rows)->blocks() && status.is_ok(); ++block) {
      Status added = Status::ok();
      status = (*rows)->show(block, [&](std::span<const Row> some) {
        added = runs_.write_rows(some, shift, writer);
        return added.is_ok();
      });
      if (status.is_ok()) status = added;
    }
    return status;
  };
  Status status = to->write(add, written);
  for (RowStore *store : filled_stores()) {
    store->clear();
    count(store);
  }
  return status;
}

Result<std::unique_ptr<RowSource>> OrderedRows::in_order(WorkerPool *pool) {
  if (on_disk()) return load(pool);
  Result<Rows> rows = sort(pool);
  if (!rows.is_ok()) return rows.status();
  if (spec_.order.limit >= 0 && spec_.order.limit < rows->size()) {
    rows->truncate(spec_.order.limit);
  }
  return rows_in_memory(std::move(*rows), INT64_MAX / 2);
}

Result<std::unique_ptr<RowSource>> OrderedRows::sort_by_identity(WorkerPool *pool) {
  constexpr i64 kRowsOfBlock = 8192;
  if (on_disk()) {
    Result<std::unique_ptr<RunRanges>> ranges = all_on_disk(spec_.share / 8, pool);
    if (!ranges.is_ok()) return ranges.status();
    Status cut = (*ranges)->cut_by_identity(spec_.share / 8);
    if (!cut.is_ok()) return cut;
    return rows_of_runs(std::move(*ranges), spec_.layout);
  }
  Result<Rows> rows = sort(pool);
  if (!rows.is_ok()) return rows.status();
  return rows_by_identity(std::move(*rows), spec_.layout, kRowsOfBlock);
}

Result<std::unique_ptr<RowSource>> OrderedRows::load(WorkerPool *pool) {
  const auto is_list = [](const Column &column) { return column.stream != nullptr || column.list; };
  const bool lists =
      spec_.states != nullptr && std::ranges::any_of(spec_.states->aggregation().columns, is_list);
  const i64 range_bytes = spec_.share / (lists ? 32 : 8);
  Result<std::unique_ptr<RunRanges>> ranges = all_on_disk(range_bytes, pool);
  if (!ranges.is_ok()) return ranges.status();
  if (Status status = (*ranges)->cut(range_bytes); !status.is_ok()) return status;
  std::unique_ptr<RowSource> rows = rows_of_runs(std::move(*ranges), spec_.layout);
  if (spec_.order.limit >= 0) rows = first_rows(std::move(rows), spec_.order.limit);
  return rows;
}

}  // namespace mrc
