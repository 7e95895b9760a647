// From finished groups to rows.
#pragma once

#include "reduce/reduce.h"
#include "sort/sort.h"

namespace mrc {

// Keeps finished groups as rows, with what their order needs.
class RowCollector : public GroupSink {
 public:
  RowCollector(const StateLayout &layout, const Order &order, RowStore *rows)
      : layout_(layout), order_(order), rows_(rows) {}

  void take(Bytes key, const State *state) override {
    const u64 rank = order_.reducer < 0 ? 0 : layout_.rank(order_.reducer, state);
    rows_->add(order_prefix(order_, key, rank), key, state);
    ++groups_;
  }
  i64 groups() const { return groups_; }

 private:
  const StateLayout &layout_;
  const Order &order_;
  RowStore *rows_;
  i64 groups_ = 0;
};

// Counts finished groups and keeps nothing.
class GroupCounter : public GroupSink {
 public:
  void take(Bytes, const State *) override { ++groups_; }
  i64 groups() const { return groups_; }

 private:
  i64 groups_ = 0;
};

}  // namespace mrc
