// rows: sources of ordered rows, in memory or on disk, and the steps that process them.
#pragma once

#include "base/status.h"
#include "rows/inner/row_runs.h"
#include "rows/rows.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace mrc {

// Ordered rows in consecutive blocks.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual i64 blocks() const = 0;

  // Takes some rows, which are valid during the call. Returns false if no more are wanted.
  using Take = std::function<bool(std::span<const Row> rows)>;
  // Shows the rows of one block, in one or more pieces. Any thread; blocks in any order.
  virtual Status show(i64 block, const Take &take) = 0;
};

// A step that processes rows after they have been put in order.
class RowStep {
 public:
  virtual ~RowStep() = default;
  // Returns the processed rows. REQUIRES: the step outlives them
  virtual std::unique_ptr<RowSource> apply(std::unique_ptr<RowSource> rows) = 0;
};

// Rows in memory, in blocks of `block_rows`. Their data stays where it is.
std::unique_ptr<RowSource> rows_in_memory(Rows rows, i64 block_rows);
// Rows in ranges, each of which is sorted when it is first shown, so that some are written while
// others are sorted. REQUIRES: `layout` and `order` outlive the source; one thread shows a range
// first, before others do
class RowsOfRanges : public RowSource {
 public:
  RowsOfRanges(RowRanges ranges, const Order &order, const RowLayout &layout);
  i64 blocks() const override { return std::ssize(ranges_.starts) - 1; }
  Status show(i64 block, const Take &take) override;
  // Number of ranges that are not sorted yet. Any thread.
  i64 unsorted() const { return unsorted_.load(std::memory_order_relaxed); }

 private:
  RowRanges ranges_;
  const Order &order_;
  const RowLayout &layout_;
  std::vector<char> is_sorted_;  // written only by the first thread that shows the range
  std::atomic<i64> unsorted_;
};
// Rows of sorted runs on disk. A block has one or more ranges, and is shown range by range. Each
// thread that shows a block has one range in memory. REQUIRES: `ranges` have been cut; `layout`
// outlives the source
std::unique_ptr<RowSource> rows_of_runs(std::unique_ptr<RunRanges> ranges, const RowLayout &layout);
// Rows in memory, in blocks of about `block_rows`; rows of one identity are in one block.
std::unique_ptr<RowSource> rows_by_identity(Rows rows, const RowLayout &layout, i64 block_rows);
// The first rows only, as one block, because the size of a block is unknown until it is shown.
std::unique_ptr<RowSource> first_rows(std::unique_ptr<RowSource> rows, i64 limit);
// The rows, followed by `last`, which stay where they are.
std::unique_ptr<RowSource> rows_and_last(std::unique_ptr<RowSource> rows,
                                         std::span<const Row> last);

}  // namespace mrc
