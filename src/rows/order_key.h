// sort: orders by several columns, by a part of a key or by text.
#pragma once

#include "combine/combine.h"
#include "map/key_parts.h"
#include "rows/rows.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

class GroupBatch;

// Makes rows be in the order of the terms; ties are decided by the key. Rows are ordered fastest by
// their keys as they are, or by the rank of one column and then by key. Terms that mean one of
// these are taken for it, and only for others keys are composed.
void order_by(std::vector<OrderTerm> terms, const KeyShape &key, std::span<const Column> columns,
              Order *order);

// Composes, for each group, bytes that order as the terms of an order say and, where all
// of them are equal, as the key does. Rows are stored with these as their keys and sorted
// like any other; after them is the key itself, which RowLayout::payload() gives back.
// Not thread safe: one for each worker.
class OrderKeyComposer {
 public:
  // All must outlive the composer.
  OrderKeyComposer(const Order &order, const KeyShape &shape, const StateLayout &states)
      : order_(order), shape_(shape), states_(states) {}

  // What rows of composed keys look like.
  static RowLayout layout(const StateLayout &states);

  void compose(GroupBatch *groups, i64 group);
  // Of the row, for RowStore::add(); until the next call of compose().
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
  std::vector<u64> state_;  // the group's, and RowLayout::Parts
};

}  // namespace mrc
