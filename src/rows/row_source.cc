#include "rows/row_source.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace mrc {

RowsOfRanges::RowsOfRanges(RowRanges ranges, const Order &order, const RowLayout &layout)
    : ranges_(std::move(ranges)),
      order_(order),
      layout_(layout),
      is_sorted_(static_cast<size_t>(blocks())),
      unsorted_(blocks()) {}

// Shows a range in pieces, because the text of a whole range may be large.
Status RowsOfRanges::show(i64 block, const Take &take) {
  constexpr size_t kRowsOfPiece = 8192;
  const auto at = static_cast<size_t>(block);
  const auto first = static_cast<size_t>(ranges_.starts[at]);
  const auto end = static_cast<size_t>(ranges_.starts[at + 1]);
  const std::span<Row> range = std::span<Row>(ranges_.rows).subspan(first, end - first);
  if (is_sorted_[at] == 0) {
    sort_range(range, order_, layout_);
    is_sorted_[at] = 1;
    unsorted_.fetch_sub(1, std::memory_order_relaxed);
  }
  for (size_t from = 0; from < range.size(); from += kRowsOfPiece) {
    if (!take(range.subspan(from, std::min(kRowsOfPiece, range.size() - from)))) break;
  }
  return Status::ok();
}

namespace {

class RowsInMemory : public RowSource {
 public:
  RowsInMemory(Rows rows, i64 block_rows) : rows_(std::move(rows)), block_rows_(block_rows) {}

  i64 blocks() const override { return (rows_.size() + block_rows_ - 1) / block_rows_; }
  Status show(i64 block, const Take &take) override {
    const i64 from = block * block_rows_;
    const i64 size = std::min(block_rows_, rows_.size() - from);
    const std::span<const Row> all(rows_);
    take(all.subspan(static_cast<size_t>(from), static_cast<size_t>(size)));
    return Status::ok();
  }

 private:
  const Rows rows_;
  const i64 block_rows_;
};

// Returns the end of the rows that have the identity of the row before `row`.
i64 end_of_identity(const Rows &rows, i64 row, const RowLayout &layout) {
  if (row <= 0 || row >= rows.size()) return std::clamp<i64>(row, 0, rows.size());
  const std::span<const Row> after = std::span<const Row>(rows).subspan(static_cast<size_t>(row));
  const Bytes identity = layout.identity(rows[row - 1]);
  const auto end = std::partition_point(
      after.begin(), after.end(), [&](const Row &one) { return layout.identity(one) == identity; });
  return row + (end - after.begin());
}

class RowsByIdentity : public RowSource {
 public:
  RowsByIdentity(Rows rows, const RowLayout &layout, i64 block_rows)
      : rows_(std::move(rows)), layout_(layout), block_rows_(block_rows) {}

  i64 blocks() const override { return (rows_.size() + block_rows_ - 1) / block_rows_; }
  Status show(i64 block, const Take &take) override {
    const i64 from = end_of_identity(rows_, block * block_rows_, layout_);
    const i64 end = end_of_identity(rows_, (block + 1) * block_rows_, layout_);
    const std::span<const Row> all(rows_);
    take(all.subspan(static_cast<size_t>(from), static_cast<size_t>(end - from)));
    return Status::ok();
  }

 private:
  const Rows rows_;
  const RowLayout layout_;
  const i64 block_rows_;
};

class RowsOfRuns : public RowSource {
 public:
  RowsOfRuns(std::unique_ptr<RunRanges> ranges, const RowLayout &layout)
      : ranges_(std::move(ranges)), layout_(layout) {}

  i64 blocks() const override { return std::ssize(ranges_->groups()) - 1; }
  Status show(i64 block, const Take &take) override {
    const auto at = static_cast<size_t>(block);
    const std::vector<i64> &groups = ranges_->groups();
    std::unique_ptr<RangeBuffers> buffers = borrow();
    Status status = Status::ok();
    bool wanted = true;
    for (i64 range = groups[at]; range < groups[at + 1] && wanted && status.is_ok(); ++range) {
      status = ranges_->load(range, buffers.get());
      if (status.is_ok()) wanted = take(std::span<const Row>(buffers->store.rows()));
    }
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(buffers));
    return status;
  }

 private:
  // Returns the buffers of a finished range, or new ones.
  std::unique_ptr<RangeBuffers> borrow() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<RangeBuffers>(layout_);
    std::unique_ptr<RangeBuffers> buffers = std::move(free_.back());
    free_.pop_back();
    return buffers;
  }

  const std::unique_ptr<RunRanges> ranges_;
  const RowLayout &layout_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RangeBuffers>> free_;
};

class FirstRows : public RowSource {
 public:
  FirstRows(std::unique_ptr<RowSource> rows, i64 limit) : rows_(std::move(rows)), limit_(limit) {}

  i64 blocks() const override { return 1; }
  Status show(i64, const Take &take) override {
    i64 left = limit_;
    bool wanted = true;
    for (i64 block = 0; block < rows_->blocks() && left > 0 && wanted; ++block) {
      Status status = rows_->show(block, [&](std::span<const Row> rows) {
        rows = rows.first(static_cast<size_t>(std::min(left, std::ssize(rows))));
        left -= std::ssize(rows);
        wanted = take(rows) && left > 0;
        return wanted;
      });
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }

 private:
  std::unique_ptr<RowSource> rows_;
  const i64 limit_;
};

class RowsAndLast : public RowSource {
 public:
  RowsAndLast(std::unique_ptr<RowSource> rows, std::span<const Row> last)
      : rows_(std::move(rows)), last_(last) {}

  i64 blocks() const override { return rows_->blocks() + 1; }
  Status show(i64 block, const Take &take) override {
    if (block < rows_->blocks()) return rows_->show(block, take);
    take(last_);
    return Status::ok();
  }

 private:
  std::unique_ptr<RowSource> rows_;
  const std::span<const Row> last_;
};

}  // namespace

std::unique_ptr<RowSource> rows_in_memory(Rows rows, i64 block_rows) {
  return std::make_unique<RowsInMemory>(std::move(rows), block_rows);
}

std::unique_ptr<RowSource> rows_of_runs(std::unique_ptr<RunRanges> ranges,
                                        const RowLayout &layout) {
  return std::make_unique<RowsOfRuns>(std::move(ranges), layout);
}

std::unique_ptr<RowSource> rows_by_identity(Rows rows, const RowLayout &layout, i64 block_rows) {
  return std::make_unique<RowsByIdentity>(std::move(rows), layout, block_rows);
}

std::unique_ptr<RowSource> first_rows(std::unique_ptr<RowSource> rows, i64 limit) {
  return std::make_unique<FirstRows>(std::move(rows), limit);
}

std::unique_ptr<RowSource> rows_and_last(std::unique_ptr<RowSource> rows,
                                         std::span<const Row> last) {
  return std::make_unique<RowsAndLast>(std::move(rows), last);
}

}  // namespace mrc
