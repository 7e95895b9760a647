// Ranges of rows between splitters, which are equal in all processes.
#pragma once

#include "rows/rows.h"

#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Immutable; any thread.
class KeyRanges {
 public:
  // `splitters` are in the order of the rows. REQUIRES: `layout` outlives this
  KeyRanges(std::vector<std::string> splitters, const Order &order, const RowLayout &layout)
      : splitters_(std::move(splitters)), descending_(order.descending), layout_(layout) {}

  // Returns the number of the row's range. It never descends in the order of rows, and is equal for
  // all rows that count as repeated.
  i64 range_of(const Row &row) const;
  // Does what range_of() does, for a row that comes after rows of `range`.
  i64 range_from(i64 range, const Row &row) const {
    while (range < std::ssize(splitters_) && !precedes(row, splitters_[static_cast<size_t>(range)]))
      ++range;
    return range;
  }

 private:
  bool precedes(const Row &row, const std::string &splitter) const;

  const std::vector<std::string> splitters_;
  const bool descending_;
  const RowLayout &layout_;
};

// Returns the splitter for a range that begins at the row, which does not depend on earlier inputs.
std::string splitter_at(const Row &row, const RowLayout &layout);
// Chooses splitters from a sample of rows for up to `ranges` ranges of about equal size.
std::vector<std::string> choose_splitters(std::vector<std::string> sample, i64 ranges,
                                          const Order &order);

}  // namespace mrc
