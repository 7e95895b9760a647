// rows: collects the rows that all workers of a stage make, and puts them in order.
#pragma once

#include "rows/inner/row_runs.h"
#include "rows/row_source.h"
#include "rows/rows.h"
#include "store/sealed_run.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Each worker fills its own stores. They stay in memory, or become sorted runs on disk when a
// worker has used its share. In the end, all rows are put in order.
class OrderedRows {
 public:
  struct Spec {
    Order order = {};
    RowLayout layout = {};
    const StateLayout *states = nullptr;  // null: rows are records
    std::string tmpdir = {};
    i64 share = INT64_MAX;  // memory of each worker
  };
  // REQUIRES: `states` outlives this
  OrderedRows(Spec spec, i64 workers);
  OrderedRows(const OrderedRows &) = delete;

  const Order &order() const { return spec_.order; }
  const RowLayout &layout() const { return spec_.layout; }

  // is_large() is true if the rows fill half of the worker's share, and the rows of all workers
  // half of all shares: a fast worker uses memory that others leave. relieve() then writes them to
  // a run. Any thread.
  bool is_large(RowStore *store);
  Status relieve(RowStore *store);
  // Adds a worker's last store.
  void add(i64 worker, std::unique_ptr<RowStore> store) {
    stores_[static_cast<size_t>(worker)] = std::move(store);
  }
  // Returns the worker's rows from an earlier scan, which it continues, or a new store.
  std::unique_ptr<RowStore> take(i64 worker);
  void clear();

  // For a job that resumes after a crash; see RowRuns.
  RowRuns::File *lend(const RunFile *file) { return runs_.lend(file); }
  Status save(RowStore *store, RowRuns::File *to);
  Status adopt(const RunFile *file) { return runs_.adopt(file); }
  // For a job whose rows other processes have made; see RowRuns.
  Status adopt(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift) {
    return runs_.adopt(file, std::move(blocks), shift);
  }

  // For results that are kept by tiles:
  // Makes an empty set of rows for one worker's part of a tile, with this order, memory and spec.
  std::unique_ptr<OrderedRows> make_part() const;
  // Takes over the rows of another part.
  void take_over(OrderedRows *part);
  // Writes all rows in order. Adds `shift` to the positions in their keys.
  Status write(u64 shift, SealedRun *to, SealedBlocks *written);

  // The following are called when all rows are made.
  bool on_disk() const { return !runs_.empty(); }
  // Returns all rows, or the first ones, in order. Their data stays here. REQUIRES: !on_disk()
  Result<Rows> sort(WorkerPool *pool);
  // Does what sort() does, but sorts each range when it is shown. Returns null if rows are few or
  // not all are wanted.
  Result<std::unique_ptr<RowsOfRanges>> divide(WorkerPool *pool);
  // Moves all rows to disk, and returns them in ranges that are loaded and sorted one by one. A
  // range is in memory as rows and as text, and lists are several times larger as text.
  Result<std::unique_ptr<RowSource>> load(WorkerPool *pool);
  // Returns all rows in order, from memory or disk, in blocks that begin where an identity begins
  // (RowLayout). REQUIRES: rows have parts
  Result<std::unique_ptr<RowSource>> sort_by_identity(WorkerPool *pool);
  // Memory of all workers' rows.
  i64 used_bytes();
  i64 spilled_rows() const { return runs_.rows(); }
  i64 spilled_bytes() const { return runs_.bytes(); }

 private:
  // The memory of rows that several workers make.
  struct Memory {
    const i64 workers;
    std::atomic<i64> used{0};  // the sum of what workers have reported
  };
  OrderedRows(Spec spec, i64 workers, std::shared_ptr<Memory> memory);
  std::vector<RowStore *> filled_stores();
  void count(RowStore *store) { memory_->used += store->take_growth(); }
  Result<std::unique_ptr<RowSource>> in_order(WorkerPool *pool);
  // Moves all rows to disk, for ranges of `range_bytes`.
  Result<std::unique_ptr<RunRanges>> all_on_disk(i64 range_bytes, WorkerPool *pool);

  Spec spec_;
  RowRuns runs_;
  const std::shared_ptr<Memory> memory_;
  std::vector<std::unique_ptr<RowStore>> stores_;  // by worker; null if a worker has no rows
};

}  // namespace mrc
