// From sorted runs on disk to output.
#pragma once

#include "output/output.h"
#include "rows/row_runs.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// Loads, formats and writes one range of rows after another, on all workers.
class RangeWriter {
 public:
  // Ranges have about `range_bytes` bytes; no more than `limit` rows are written, unless
  // it is negative.
  RangeWriter(RowRuns *runs, const RowLayout &layout, i64 limit, i64 range_bytes)
      : runs_(runs), layout_(layout), limit_(limit), ranges_(runs->cut(range_bytes)) {}

  Status write(Formatter *formatter, OutputFile *file, WorkerPool *pool);
  i64 rows() const { return rows_; }

 private:
  Status measure(Formatter *formatter);
  Status write_first(const Formatter &formatter, OutputFile *file);
  static std::span<const Row> first_rows(RangeBuffers &buffers, i64 most);
  std::unique_ptr<RangeBuffers> borrow();
  void give_back(std::unique_ptr<RangeBuffers> buffers);

  RowRuns *runs_;
  RowLayout layout_;
  i64 limit_;
  i64 ranges_;
  std::atomic<i64> rows_{0};

  std::mutex mutex_;
  std::vector<std::unique_ptr<RangeBuffers>> free_;
};

}  // namespace mrc
