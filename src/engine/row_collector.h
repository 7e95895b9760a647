// From finished groups to rows.
#pragma once

#include "reduce/reduce.h"
#include "rows/order_key.h"
#include "rows/rows.h"

#include <optional>

namespace mrc {

// Keeps finished groups as rows, with what their order needs.
class RowCollector : public GroupSink {
 public:
  RowCollector(const StateLayout &layout, const KeyShape &key, const Order &order, RowStore *rows)
      : layout_(layout), order_(order), rows_(rows) {
    if (order.composes()) composer_.emplace(order, key, layout);
  }

  void take(Bytes key, const State *state) override {
    if (composer_) {
      composer_->compose(key, state);
      key = composer_->key();
      state = composer_->state();
    }
    const u64 rank = order_.column < 0 ? 0 : layout_.rank(order_.column, state, key);
    rows_->add(order_prefix(order_, key, rank), key, state);
    ++groups_;
    // (Memory that states own would go with the rows'.)
    if (order_.limit >= 0 && layout_.is_flat() &&
        rows_->rows().size() > kSpare + 4 * order_.limit) {
      rows_->keep_first(order_.limit, order_);
    }
  }
  i64 groups() const { return groups_; }

 private:
  static constexpr i64 kSpare = 65536;  // rows more than wanted, before they are looked through

  const StateLayout &layout_;
  const Order &order_;
  RowStore *rows_;
  std::optional<OrderKeyComposer> composer_;
  i64 groups_ = 0;
};

// Passes on the groups for which a condition holds.
class HavingFilter : public GroupFilter {
 public:
  // All must outlive it.
  HavingFilter(const Formula &condition, const StateLayout &layout, GroupSink *next)
      : condition_(condition), layout_(layout), next_(next) {}

  void take(Bytes key, const State *state) override {
    text_.clear();
    layout_.show(condition_, state, key, &text_);
    if (text_.empty()) {
      ++dropped_;
    } else {
      next_->take(key, state);
    }
  }
  i64 dropped() const override { return dropped_; }

 private:
  const Formula &condition_;
  const StateLayout &layout_;
  GroupSink *next_;
  std::string text_;
  i64 dropped_ = 0;
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
