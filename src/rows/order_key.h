// sort: orders by several columns, by a part of a key or by text.
#pragma once

#include "combine/combine.h"
#include "map/key_parts.h"
#include "rows/rows.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

class GroupBatch;

// Orders rows by the terms, and ties by the key. Rows are ordered fastest by their own keys, or by
// the rank of one column and then by key. Terms that are equivalent to one of these use it; others
// need composed keys.
void order_by(std::vector<OrderTerm> terms, const KeyShape &key, std::span<const Column> columns,
              Order *order);

// Composes bytes for each group that order as the terms of an order and, for equal terms, as the
// key. Rows are stored with these bytes as their keys, and sorted like any others. The key itself
// follows; RowLayout::payload() returns it. Not thread safe: each worker has its own.
class OrderKeyComposer {
 public:
  // REQUIRES: all arguments outlive the composer
  OrderKeyComposer(const Order &order, const KeyShape &shape, const StateLayout &states)
      : order_(order), shape_(shape), states_(states) {}

  // Layout of rows with composed keys.
  static RowLayout layout(const StateLayout &states);

  void compose(GroupBatch *groups, i64 group);
  // The key and state for RowStore::add(), valid until the next call of compose().
  Bytes key() const { return key_; }
  const State *state() const { return reinterpret_cast<const State *>(state_.data()); }

 private:
  void append_custom(Bytes key, const State *state);
  void append_term(const OrderTerm &term, GroupBatch *groups, i64 group);
  void append_part(const OrderTerm &term, Bytes key);

  const Order &order_;
  const KeyShape &shape_;
  const StateLayout &states_;
  std::string key_, text_;
  std::vector<u64> state_;  // the group's state, and RowLayout::Parts
};

// Ranges of rows between splitters, which are equal in all processes.

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
