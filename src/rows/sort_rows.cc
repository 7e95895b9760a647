// Parallel sorting by regular sampling, in four steps, each on all workers:
//
//  1. sample     takes every worker's rows at regular distances, sorts them, and takes every k-th
//                as a splitter: ranges have about equal size for any distribution
//  2. classify   counts the rows of each block that go to each range
//  3. scatter    moves the rows of each block to their places in the ranges
//  4. sort       sorts each range separately, at once or when it is written
//
// Scattering replaces the merge of the textbook: a merge reads and writes as much, and is harder to
// distribute. Splitters are rows, not prefixes, so that keys with a long common prefix are
// distributed as well.
#include "rows/rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <span>

namespace mrc {
namespace {

constexpr i64 kSmall = 8192;  // fewer rows are sorted by one worker
constexpr i64 kRangesPerWorker = 8;
constexpr i64 kSamplesPerRange = 16;

// Chooses more ranges than workers, so that workers finish together, and ranges that fit in the L2
// cache, but not more than the TLB has entries for while scattering.
i64 ranges_for(i64 rows, i64 workers) {
  constexpr i64 kRowsPerRange = 32768, kMostRanges = 512;
  return std::clamp(rows / kRowsPerRange, workers * kRangesPerWorker, kMostRanges);
}

// A part of one store's rows.
struct Block {
  std::span<const Row> rows;
  std::vector<u16> ranges;  // range of each row
  std::vector<i64> places;  // by range: first the count, then the place of the next row
};

// The rows between ranges, with a table that finds the range of most rows by the leading bits of
// their prefix alone.
class Splitters {
 public:
  Splitters(const std::vector<RowStore *> &stores, i64 rows, i64 ranges, const Before &before)
      : before_(before) {
    const i64 step = std::max<i64>(1, rows / (ranges * kSamplesPerRange));
    std::vector<Row> samples;
    for (RowStore *store : stores) {
      for (i64 i = 0; i < store->rows().size(); i += step) samples.push_back(store->rows()[i]);
    }
    std::stable_sort(samples.begin(), samples.end(), before);
    for (i64 i = 1; i < ranges; ++i) {
      rows_.push_back(
          samples[samples.size() * static_cast<size_t>(i) / static_cast<size_t>(ranges)]);
    }
    index_prefixes();
  }

  size_t ranges() const { return rows_.size() + 1; }

  // Returns the number of splitters that are not after the row.
  size_t range_of(const Row &row) const {
    const size_t cell = cell_of(row.prefix);
    const Row *begin = rows_.data() + first_[cell], *end = rows_.data() + first_[cell + 1];
    while (begin < end) {  // rarely more than once
      const Row *middle = begin + (end - begin) / 2;
      if (before_(row, *middle)) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    return static_cast<size_t>(begin - rows_.data());
  }

 private:
  static constexpr int kCellBits = 12;

  size_t cell_of(u64 prefix) const {
    if (prefix <= low_) return 0;
    return std::min<size_t>((prefix - low_) >> shift_, (size_t{1} << kCellBits) - 1);
  }

  // Sets first_[c] to the first splitter in cell c or after it.
  void index_prefixes() {
    low_ = rows_.front().prefix;
    const int bits = static_cast<int>(std::bit_width(rows_.back().prefix - low_));
    shift_ = std::max(0, bits - kCellBits);
    first_.assign((size_t{1} << kCellBits) + 1, static_cast<u32>(rows_.size()));
    for (size_t i = rows_.size(); i-- > 0;) first_[cell_of(rows_[i].prefix)] = static_cast<u32>(i);
    for (size_t cell = first_.size() - 1; cell-- > 0;) {
      first_[cell] = std::min(first_[cell], first_[cell + 1]);
    }
  }

  Before before_;
  std::vector<Row> rows_;
  u64 low_ = 0;
  int shift_ = 0;
  std::vector<u32> first_;
};

class SampleSort {
 public:
  SampleSort(const std::vector<RowStore *> &stores, i64 rows, const Order &order,
             const RowLayout &layout, WorkerPool *pool)
      : order_(order),
        layout_(layout),
        pool_(pool),
        splitters_(stores, rows, ranges_for(rows, pool->size()), Before(order, layout)),
        rows_(rows) {
    const size_t size = static_cast<size_t>(rows / (pool->size() * 4) + 1);
    for (RowStore *store : stores) {
      std::span<const Row> all = store->rows();
      for (size_t at = 0; at < all.size(); at += size) {
        blocks_.push_back({all.subspan(at, std::min(size, all.size() - at)), {}, {}});
      }
    }
  }

  Status divide() {
    Status status = each(blocks_.size(), [&](size_t i) { classify(&blocks_[i]); });
    if (status.is_ok()) {
      place_ranges();
      status = each(blocks_.size(), [&](size_t i) { scatter(&blocks_[i]); });
    }
    return status;
  }

  Status sort() {
    return each(splitters_.ranges(), [&](size_t i) {
      const auto first = static_cast<size_t>(starts_[i]), end = static_cast<size_t>(starts_[i + 1]);
      sort_range(std::span<Row>(rows_).subspan(first, end - first), order_, layout_);
    });
  }

  RowRanges take() { return {std::move(rows_), std::move(starts_)}; }

 private:
  template <typename Task>
  Status each(size_t tasks, Task task) {
    std::atomic<size_t> next{0};
    return pool_->run(pool_->size(), [&](i64) {
      for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) task(i);
      return Status::ok();
    });
  }

  void classify(Block *block) {
    block->places.assign(splitters_.ranges(), 0);
    block->ranges.resize(block->rows.size());
    for (size_t i = 0; i < block->rows.size(); ++i) {
      const size_t range = splitters_.range_of(block->rows[i]);
      block->ranges[i] = static_cast<u16>(range);
      ++block->places[range];
    }
  }

  // Turns counts into places: range by range, and within a range block by block.
  void place_ranges() {
    i64 place = 0;
    for (size_t range = 0; range < splitters_.ranges(); ++range) {
      starts_.push_back(place);
      for (Block &block : blocks_) {
        i64 count = block.places[range];
        block.places[range] = place;
        place += count;
      }
    }
    starts_.push_back(place);
  }

  void scatter(Block *block) {
    for (size_t i = 0; i < block->rows.size(); ++i) {
      rows_[block->places[block->ranges[i]]++] = block->rows[i];
    }
    block->ranges = {};
  }

  const Order &order_;
  const RowLayout &layout_;
  WorkerPool *pool_;
  Splitters splitters_;
  Rows rows_;
  std::vector<Block> blocks_;
  std::vector<i64> starts_;
};

// Keeps in each store the rows that may be among the first `limit`.
Status keep_first(const std::vector<RowStore *> &stores, const Before &before, i64 limit,
                  WorkerPool *pool) {
  std::atomic<size_t> next{0};
  return pool->run(pool->size(), [&](i64) {
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < stores.size();) {
      Rows &rows = stores[i]->rows();
      if (rows.size() <= limit) continue;
      before.is_total() ? std::nth_element(rows.begin(), rows.begin() + limit, rows.end(), before)
                        : std::stable_sort(rows.begin(), rows.end(), before);
      rows.truncate(limit);
    }
    return Status::ok();
  });
}

i64 count_rows(const std::vector<RowStore *> &stores) {
  i64 rows = 0;
  for (RowStore *store : stores) rows += store->rows().size();
  return rows;
}

}  // namespace

void drop_repeated(const RowLayout &layout, Rows *rows) {
  auto same = [&](const Row &a, const Row &b) { return layout.identity(a) == layout.identity(b); };
  rows->truncate(std::unique(rows->begin(), rows->end(), same) - rows->begin());
}

Result<Rows> sort_rows(const std::vector<RowStore *> &stores, const Order &order,
                       const RowLayout &layout, WorkerPool *pool) {
  const Before before(order, layout);
  if (order.limit >= 0 && !order.unique) {
    Status kept = keep_first(stores, before, order.limit, pool);
    if (!kept.is_ok()) return kept;
  }
  Rows sorted;
  const i64 rows = count_rows(stores);
  if (rows < kSmall) {
    for (RowStore *store : stores) {
      sorted.append(store->rows());
    }
    sort_range(sorted, order, layout);
  } else if (order.merge_tree) {
    Result<Rows> merged = sort_by_merging(stores, order, layout, pool);
    if (!merged.is_ok()) return merged;
    sorted = std::move(*merged);
  } else {
    SampleSort sort(stores, rows, order, layout, pool);
    Status status = sort.divide();
    if (status.is_ok()) status = sort.sort();
    if (!status.is_ok()) return status;
    sorted = sort.take().rows;
  }
  if (order.unique) drop_repeated(layout, &sorted);
  if (order.limit >= 0 && order.limit < sorted.size()) sorted.truncate(order.limit);
  return sorted;
}

Result<RowRanges> divide_rows(const std::vector<RowStore *> &stores, const Order &order,
                              const RowLayout &layout, WorkerPool *pool) {
  SampleSort sort(stores, count_rows(stores), order, layout, pool);
  if (Status status = sort.divide(); !status.is_ok()) return status;
  return sort.take();
}

bool is_worth_dividing(const std::vector<RowStore *> &stores, const Order &order) {
  return order.limit < 0 && !order.unique && !order.merge_tree && count_rows(stores) >= kSmall;
}

}  // namespace mrc
