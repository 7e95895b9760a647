// rows: the rows that all workers of a stage make, from the first of them to their order.
#pragma once

#include "rows/row_runs.h"
#include "rows/row_source.h"
#include "rows/rows.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Each worker fills stores of its own. They stay in memory, or become sorted runs on disk when a
// worker has used its share. In the end, all rows are put in order.
class OrderedRows {
 public:
  struct Spec {
    Order order;
    RowLayout layout;
    const StateLayout *states = nullptr;  // null: rows are records
    std::string tmpdir;
    i64 share = INT64_MAX;  // of memory, for each worker
  };
  // `states` must outlive it.
  OrderedRows(Spec spec, i64 workers);
  OrderedRows(const OrderedRows &) = delete;

  const Order &order() const { return spec_.order; }
  const RowLayout &layout() const { return spec_.layout; }

  // Of one worker's rows: whether they are too many, and what to do then. They are if they fill
  // half of the worker's share, and those of all workers half of all shares: a worker that is
  // faster than others uses what these leave. Any thread.
  bool is_large(RowStore *store);
  Status relieve(RowStore *store);
  // When a worker has made its last row.
  void add(i64 worker, std::unique_ptr<RowStore> store) {
    stores_[static_cast<size_t>(worker)] = std::move(store);
  }
  // The rows of an earlier scan, which the worker goes on with; a new store if it had none.
  std::unique_ptr<RowStore> take(i64 worker);
  void clear();

  // Of a job that goes on after a crash; see RowRuns.
  RowRuns::File *lend(const RunFile *file) { return runs_.lend(file); }
  Status save(RowStore *store, RowRuns::File *to);
  Status adopt(const RunFile *file) { return runs_.adopt(file); }
  // Of a job whose rows other processes have made; the same.
  Status adopt(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift) {
    return runs_.adopt(file, std::move(blocks), shift);
  }

  // When all rows are made.
  bool on_disk() const { return !runs_.empty(); }
  // All rows in order, or the first of them, if none is on disk. Their data stays here.
  Result<Rows> sort(WorkerPool *pool);
  // The same, each range of them when it is shown; null: they are few, or not all are wanted.
  Result<std::unique_ptr<RowsOfRanges>> divide(WorkerPool *pool);
  // The same, in ranges that are loaded and sorted one by one: what is in memory goes to disk,
  // too. A range is in memory as rows and as text: lists are several times larger as text.
  Result<std::unique_ptr<RowSource>> load(WorkerPool *pool);
  // All rows in order, in blocks that begin where identities do (RowLayout), wherever they are.
  // REQUIRES: rows have parts
  Result<std::unique_ptr<RowSource>> sort_by_identity(WorkerPool *pool);
  // In memory, of all workers.
  i64 used_bytes();
  i64 spilled_rows() const { return runs_.rows(); }
  i64 spilled_bytes() const { return runs_.bytes(); }

 private:
  std::vector<RowStore *> filled_stores();
  // To be cut into ranges of so many bytes.
  Result<std::unique_ptr<RunRanges>> all_on_disk(i64 range_bytes, WorkerPool *pool);

  Spec spec_;
  RowRuns runs_;
  std::atomic<i64> used_{0};  // by rows in memory, as far as their workers have told
  std::vector<std::unique_ptr<RowStore>> stores_;  // by worker; null where one had nothing to do
};

}  // namespace mrc
