// Parallel sorting by regular sampling, in four steps, each on all workers:
//
//  1. sample     every worker's rows at regular distances; sort the samples, take
//                every k-th as a splitter: ranges of about equal size, whatever
//                the distribution
//  2. classify   each block of rows: how many go to each range
//  3. scatter    each block to its place in its ranges
//  4. sort       each range by itself
//
// Scattering to ranges takes the place of the merge of the textbook: a merge reads
// and writes as much and is harder to share out. Splitters are rows, not prefixes, so
// that keys with a long common start are shared out as well.
#include "sort/sort.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

namespace mrc {
namespace {

constexpr i64 kSmall = 8192;  // rows that one worker sorts before others wake up
constexpr i64 kRangesPerWorker = 8;
constexpr i64 kSamplesPerRange = 16;

// More ranges than workers, so that they finish together; small enough for the L2 cache,
// but not so many that scattering writes to more places than the TLB knows.
i64 ranges_for(i64 rows, i64 workers) {
  constexpr i64 kRowsPerRange = 32768, kMostRanges = 512;
  return std::clamp(rows / kRowsPerRange, workers * kRangesPerWorker, kMostRanges);
}

// A stretch of one store's rows.
struct Block {
  std::span<const Row> rows;
  std::vector<i64> places;  // by range: how many, then where the next goes
};

std::vector<Row> choose_splitters(const std::vector<RowStore *> &stores, i64 rows, i64 ranges,
                                  const Before &before) {
  const i64 step = std::max<i64>(1, rows / (ranges * kSamplesPerRange));
  std::vector<Row> samples;
  for (RowStore *store : stores) {
    const std::vector<Row> &all = store->rows();
    for (size_t i = 0; i < all.size(); i += static_cast<size_t>(step)) samples.push_back(all[i]);
  }
  std::sort(samples.begin(), samples.end(), before);
  std::vector<Row> splitters;
  for (i64 i = 1; i < ranges; ++i) {
    splitters.push_back(
        samples[samples.size() * static_cast<size_t>(i) / static_cast<size_t>(ranges)]);
  }
  return splitters;
}

class SampleSort {
 public:
  SampleSort(const std::vector<RowStore *> &stores, i64 rows, const Order &order,
             const RowLayout &layout, WorkerPool *pool)
      : order_(order),
        layout_(layout),
        before_(order, layout),
        pool_(pool),
        splitters_(choose_splitters(stores, rows, ranges_for(rows, pool->size()), before_)),
        sorted_(static_cast<size_t>(rows)) {
    const size_t size = static_cast<size_t>(rows / (pool->size() * 4) + 1);
    for (RowStore *store : stores) {
      std::span<const Row> all = store->rows();
      for (size_t at = 0; at < all.size(); at += size) {
        blocks_.push_back({all.subspan(at, std::min(size, all.size() - at)), {}});
      }
    }
  }

  Status run() {
    Status status = each(blocks_.size(), [&](size_t i) { classify(&blocks_[i]); });
    if (status.is_ok()) {
      place_ranges();
      status = each(blocks_.size(), [&](size_t i) { scatter(&blocks_[i]); });
    }
    if (status.is_ok()) {
      status = each(ranges(), [&](size_t i) { sort_range(range(i), order_, layout_); });
    }
    return status;
  }

  std::vector<Row> take() { return std::move(sorted_); }

 private:
  size_t ranges() const { return splitters_.size() + 1; }

  std::span<Row> range(size_t i) {
    return std::span(sorted_).subspan(static_cast<size_t>(starts_[i]),
                                      static_cast<size_t>(starts_[i + 1] - starts_[i]));
  }

  size_t range_of(const Row &row) const {
    return static_cast<size_t>(
        std::upper_bound(splitters_.begin(), splitters_.end(), row, before_) - splitters_.begin());
  }

  template <typename Task>
  Status each(size_t tasks, Task task) {
    std::atomic<size_t> next{0};
    return pool_->run(pool_->size(), [&](i64) {
      for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) task(i);
      return Status::ok();
    });
  }

  void classify(Block *block) {
    block->places.assign(ranges(), 0);
    for (const Row &row : block->rows) ++block->places[range_of(row)];
  }

  // Counts become places: range by range, in each the blocks in turn.
  void place_ranges() {
    i64 place = 0;
    for (size_t range = 0; range < ranges(); ++range) {
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
    for (const Row &row : block->rows) {
      sorted_[static_cast<size_t>(block->places[range_of(row)]++)] = row;
    }
  }

  const Order &order_;
  const RowLayout &layout_;
  Before before_;
  WorkerPool *pool_;
  std::vector<Row> splitters_;
  std::vector<Row> sorted_;
  std::vector<Block> blocks_;
  std::vector<i64> starts_;
};

// Leaves each store with the rows that may be among the first `limit`.
Status keep_first(const std::vector<RowStore *> &stores, const Before &before, i64 limit,
                  WorkerPool *pool) {
  std::atomic<size_t> next{0};
  return pool->run(pool->size(), [&](i64) {
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < stores.size();) {
      std::vector<Row> &rows = stores[i]->rows();
      if (static_cast<i64>(rows.size()) <= limit) continue;
      std::nth_element(rows.begin(), rows.begin() + limit, rows.end(), before);
      rows.resize(static_cast<size_t>(limit));
    }
    return Status::ok();
  });
}

i64 count_rows(const std::vector<RowStore *> &stores) {
  i64 rows = 0;
  for (RowStore *store : stores) rows += static_cast<i64>(store->rows().size());
  return rows;
}

}  // namespace

void drop_repeated(const RowLayout &layout, std::vector<Row> *rows) {
  auto same = [&](const Row &a, const Row &b) { return layout.identity(a) == layout.identity(b); };
  rows->erase(std::unique(rows->begin(), rows->end(), same), rows->end());
}

Result<std::vector<Row>> sort_rows(const std::vector<RowStore *> &stores, const Order &order,
                                   const RowLayout &layout, WorkerPool *pool) {
  const Before before(order, layout);
  if (order.limit >= 0 && !order.unique) {
    Status kept = keep_first(stores, before, order.limit, pool);
    if (!kept.is_ok()) return kept;
  }
  std::vector<Row> sorted;
  const i64 rows = count_rows(stores);
  if (rows < kSmall) {
    for (RowStore *store : stores) {
      sorted.insert(sorted.end(), store->rows().begin(), store->rows().end());
    }
    sort_range(sorted, order, layout);
  } else {
    SampleSort sort(stores, rows, order, layout, pool);
    if (Status status = sort.run(); !status.is_ok()) return status;
    sorted = sort.take();
  }
  if (order.unique) drop_repeated(layout, &sorted);
  if (order.limit >= 0 && order.limit < static_cast<i64>(sorted.size())) {
    sorted.resize(static_cast<size_t>(order.limit));
  }
  return sorted;
}

}  // namespace mrc
