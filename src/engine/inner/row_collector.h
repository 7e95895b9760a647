// Makes rows of finished groups.
#pragma once

#include "combine/group_batch.h"
#include "map/key_parts.h"
#include "reduce/reduce.h"
#include "rows/order_key.h"
#include "rows/rows.h"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace mrc {

// Results of formulas that cannot be computed, such as quotients by an aggregate that is 0. They
// are empty, counted, and the first is named. Faults of one worker, or of several together. The
// first fault is that of the smallest key. Not thread safe.
class ResultFaults {
 public:
  void add(Bytes key, std::string reason) {
    if (count_++ > 0 && key >= Bytes(key_)) return;
    key_ = key;
    reason_ = std::move(reason);
  }
  // Adds the faults of the formula's results for these groups.
  void add(const Formula &formula, GroupBatch *groups) {
    groups->results(formula).each_fault([&](size_t group, std::string reason) {
      add(groups->key(static_cast<i64>(group)), std::move(reason));
    });
  }
  void add(const ResultFaults &other) {
    if (other.count_ == 0) return;
    if (count_ == 0 || other.key_ < key_) {
      key_ = other.key_;
      reason_ = other.reason_;
    }
    count_ += other.count_;
  }

  i64 count() const { return count_; }
  // Returns "KEY: REASON" of the first fault. REQUIRES: count() > 0
  std::string describe_first(const KeyShape &shape) const {
    if (shape.parts.empty()) return reason_;
    if (shape.is_plain()) return fmt::format("{}: {}", key_, reason_);
    std::string shown;
    Bytes rest = key_;
    for (const KeyPart &part : shape.parts) {
      if (!shown.empty()) shown += ", ";
      std::string value;
      take_key_part(part, &rest, &value);
      shown += value;
    }
    return fmt::format("{}: {}", shown, reason_);
  }

 private:
  i64 count_ = 0;
  std::string key_, reason_;
};

// Stores finished groups as rows, with the ranks or sort keys that their order needs.
class RowCollector : public GroupSink {
 public:
  // `rows`: null: groups are only counted. `faults` takes the faults of columns, unless it is null.
  // All arguments must outlive this.
  RowCollector(const StateLayout &layout, const KeyShape &key, const Order &order, RowStore *rows,
               ResultFaults *faults = nullptr)
      : layout_(layout), order_(order), rows_(rows), faults_(faults), groups_(layout) {
    if (order.composes()) composer_.emplace(order, key, layout);
  }

  void take(Bytes key, const State *state) override {
    groups_.add(key, state);
    if (groups_.is_full()) flush();
  }
  void flush() override {
    if (faults_ != nullptr) note_faults();
    for (i64 i = 0; rows_ != nullptr && i < groups_.size(); ++i) add_row(i);
    count_ += groups_.size();
    groups_.clear();
  }
  // Number of groups taken before the last flush().
  i64 groups() const { return count_; }

 private:
  void note_faults() {
    for (const Column &column : layout_.aggregation().columns) {
      if (column.formula) faults_->add(*column.formula, &groups_);
    }
  }
  void add_row(i64 group) {
    if (composer_) {
      composer_->compose(&groups_, group);
      add_row(composer_->key(), composer_->state(), 0);
    } else {
      const u64 rank = order_.column < 0 ? 0 : groups_.rank(layout_.column(order_.column), group);
      add_row(groups_.key(group), groups_.state(group), rank);
    }
  }
  void add_row(Bytes key, const State *state, u64 rank) {
    rows_->add(order_prefix(order_, key, rank), key, state);
    if (layout_.is_flat()) rows_->thin_out(order_);  // else it would free what states own
  }

  const StateLayout &layout_;
  const Order &order_;
  RowStore *rows_;
  ResultFaults *faults_;
  GroupBatch groups_;  // not rows yet
  std::optional<OrderKeyComposer> composer_;
  i64 count_ = 0;
};

// Passes on the groups that meet a condition.
class HavingFilter : public GroupFilter {
 public:
  // `faults` takes the faults of the condition, unless it is null. All arguments must outlive this.
  HavingFilter(const Formula &condition, const StateLayout &layout, GroupSink *next,
               ResultFaults *faults)
      : condition_(condition), next_(next), faults_(faults), groups_(layout) {}

  void take(Bytes key, const State *state) override {
    groups_.add(key, state);
    if (groups_.is_full()) pass_on();
  }
  void flush() override {
    pass_on();
    next_->flush();
  }
  i64 dropped() const override { return dropped_; }

 private:
  void pass_on() {
    const FormulaResults &results = groups_.results(condition_);
    if (faults_ != nullptr) faults_->add(condition_, &groups_);
    for (i64 i = 0; i < groups_.size(); ++i) {
      if (results.is_missing(static_cast<size_t>(i))) {
        ++dropped_;
      } else {
        next_->take(groups_.key(i), groups_.state(i));
      }
    }
    groups_.clear();
  }

  const Formula &condition_;
  GroupSink *next_;
  ResultFaults *faults_;
  GroupBatch groups_;  // not tested yet
  i64 dropped_ = 0;
};

}  // namespace mrc
