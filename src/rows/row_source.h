// rows: rows in order, in memory or on disk, and the steps that they go through.
#pragma once

#include "base/status.h"
#include "rows/row_runs.h"
#include "rows/rows.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace mrc {

// Rows in blocks, which follow each other in the order of the rows.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual i64 blocks() const = 0;

  // Takes some rows, which are there during the call. False: no more are wanted.
  using Take = std::function<bool(std::span<const Row> rows)>;
  // Shows the rows of one block, in one piece or more. Any thread; blocks in any order.
  virtual Status show(i64 block, const Take &take) = 0;
};

// What rows go through after they have been put in order.
class RowStep {
 public:
  virtual ~RowStep() = default;
  // The source that is returned does not outlive the step.
  virtual std::unique_ptr<RowSource> apply(std::unique_ptr<RowSource> rows) = 0;
};

// Rows in memory, in blocks of so many rows. Their data stays where it is.
std::unique_ptr<RowSource> rows_in_memory(Rows rows, i64 block_rows);
// Rows in ranges, each of which is sorted when it is shown first: some are written while others are
// sorted. `layout` and `order` outlive the source.
class RowsOfRanges : public RowSource {
 public:
  RowsOfRanges(RowRanges ranges, const Order &order, const RowLayout &layout);
  i64 blocks() const override { return std::ssize(ranges_.starts) - 1; }
  Status show(i64 block, const Take &take) override;
  // Ranges that are not sorted yet. Any thread.
  i64 unsorted() const { return unsorted_.load(std::memory_order_relaxed); }

 private:
  RowRanges ranges_;
  const Order &order_;
  const RowLayout &layout_;
  std::vector<char> is_sorted_;  // each is of the one thread that shows the range
  std::atomic<i64> unsorted_;
};
// Rows of sorted runs on disk, in blocks of one range or more, which is shown range by range. As
// many ranges are in memory as threads show blocks. `ranges` have been cut. `layout` outlives the
// source.
std::unique_ptr<RowSource> rows_of_runs(std::unique_ptr<RunRanges> ranges, const RowLayout &layout);
// Rows in memory, in blocks of about so many rows; those of one identity are in one block.
std::unique_ptr<RowSource> rows_by_identity(Rows rows, const RowLayout &layout, i64 block_rows);
// Only the first rows. They are one block, because the size of a block is known only when it is
// shown.
std::unique_ptr<RowSource> first_rows(std::unique_ptr<RowSource> rows, i64 limit);
// The rows followed by the last ones, which stay where they are.
std::unique_ptr<RowSource> rows_and_last(std::unique_ptr<RowSource> rows,
                                         std::span<const Row> last);

}  // namespace mrc
