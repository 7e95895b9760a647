// Ranges of rows that are the same in all processes: what lies between splitters.
#pragma once

#include "rows/rows.h"

#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Immutable; any thread.
class KeyRanges {
 public:
  // `splitters` are in the order of the rows. All else outlives this.
  KeyRanges(std::vector<std::string> splitters, const Order &order, const RowLayout &layout)
      : splitters_(std::move(splitters)), descending_(order.descending), layout_(layout) {}

  // The number of the range that a row is in. It never descends in the order of rows, and is one
  // for all rows that count as repeated.
  i64 range_of(const Row &row) const;
  // The same, for a row that comes after rows of this range.
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

// Where a range might begin: at the row, whatever the inputs before its own are.
std::string splitter_at(const Row &row, const RowLayout &layout);
// So many ranges, or fewer, that have about as many of these each, which are taken from rows.
std::vector<std::string> choose_splitters(std::vector<std::string> sample, i64 ranges,
                                          const Order &order);

}  // namespace mrc
