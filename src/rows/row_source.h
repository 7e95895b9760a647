// rows: rows in order, in memory or on disk, and the steps that they go through.
#pragma once

#include "base/status.h"
#include "rows/row_runs.h"
#include "rows/rows.h"

#include <functional>
#include <memory>
#include <span>

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
// Rows of sorted runs on disk, loaded in ranges of about so many bytes, one for each thread.
// All must outlive the source. REQUIRES: no more is spilled
std::unique_ptr<RowSource> rows_of_runs(RowRuns *runs, const RowLayout &layout, i64 range_bytes);
// Only the first rows. They are one block, because the size of a block is known only when it is
// shown.
std::unique_ptr<RowSource> first_rows(std::unique_ptr<RowSource> rows, i64 limit);
// The rows followed by the last ones, which stay where they are.
std::unique_ptr<RowSource> rows_and_last(std::unique_ptr<RowSource> rows,
                                         std::span<const Row> last);

}  // namespace mrc
