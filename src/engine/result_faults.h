// Results of formulas that cannot be computed, such as quotients by an aggregate that is 0: they
// are empty, counted, and the first is named.
#pragma once

#include "map/key_parts.h"
#include "reduce/reduce.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Those that one worker has met, or several together. The first is that of the smallest key.
// Not thread safe.
class ResultFaults {
 public:
  void add(Bytes key, std::string reason) {
    if (count_++ > 0 && key >= Bytes(key_)) return;
    key_ = key;
    reason_ = std::move(reason);
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
  // "KEY: REASON" of the first. REQUIRES: count() > 0
  std::string describe_first(const KeyShape &shape) const;

 private:
  i64 count_ = 0;
  std::string key_, reason_;
};

// Looks at what formulas make of each group, which it passes on.
class ResultCheck : public GroupSink {
 public:
  using Formulas = std::vector<std::shared_ptr<const Formula>>;
  // All must outlive it.
  ResultCheck(Formulas formulas, const StateLayout &layout, ResultFaults *faults, GroupSink *next)
      : formulas_(std::move(formulas)), layout_(layout), faults_(*faults), next_(next) {}

  bool looks() const { return !formulas_.empty(); }
  void take(Bytes key, const State *state) override {
    for (const auto &formula : formulas_) {
      std::string reason = layout_.fault(*formula, state, key);
      if (!reason.empty()) faults_.add(key, std::move(reason));
    }
    next_->take(key, state);
  }

 private:
  const Formulas formulas_;
  const StateLayout &layout_;
  ResultFaults &faults_;
  GroupSink *next_;
};

// Those of the columns.
inline ResultCheck::Formulas formulas_of(const Aggregation &aggregation) {
  ResultCheck::Formulas formulas;
  for (const Column &column : aggregation.columns) {
    if (column.formula) formulas.push_back(column.formula);
  }
  return formulas;
}

}  // namespace mrc
