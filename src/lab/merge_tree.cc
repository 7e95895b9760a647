// Sorts by a tree of merges: each store is sorted by itself, then stores are merged in pairs, in
// rounds with half as many workers each; in the last round one worker merges all rows. Parallel
// sorting by regular sampling replaced this in Metis (3.3, and fig. 11); it is here for comparison:
// --engine merge=tree.
#include "rows/rows.h"

#include <algorithm>

namespace mrc {

Result<Rows> sort_by_merging(const std::vector<RowStore *> &stores, const Order &order,
                             const RowLayout &layout, WorkerPool *pool) {
  const Before before(order, layout);
  std::vector<Rows> runs(stores.size());
  Status status = pool->run(std::ssize(stores), [&](i64 i) {
    Rows &rows = stores[static_cast<size_t>(i)]->rows();
    std::sort(rows.begin(), rows.end(), before);
    runs[static_cast<size_t>(i)] = std::move(rows);
    return Status::ok();
  });
  while (status.is_ok() && runs.size() > 1) {
    std::vector<Rows> merged((runs.size() + 1) / 2);
    status = pool->run(std::ssize(merged), [&](i64 i) {
      const size_t left = static_cast<size_t>(2 * i), right = left + 1;
      Rows &into = merged[static_cast<size_t>(i)];
      if (right == runs.size()) {
        into = std::move(runs[left]);
        return Status::ok();
      }
      into = Rows(runs[left].size() + runs[right].size());
      std::merge(runs[left].begin(), runs[left].end(), runs[right].begin(), runs[right].end(),
                 into.begin(), before);
      return Status::ok();
    });
    runs = std::move(merged);
  }
  if (!status.is_ok()) return status;
  return runs.empty() ? Rows() : std::move(runs[0]);
}

}  // namespace mrc
