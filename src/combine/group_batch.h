// combine: groups that are finished together, and what formulas make of them.
#pragma once

#include "base/arena.h"
#include "combine/combine.h"
#include "combine/formula.h"
#include "expr/evaluate.h"
#include "expr/value_cache.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

class GroupBatch;

// The results of a formula for the groups of a batch. Not thread safe.
class FormulaResults {
 public:
  // The formula and the batch outlive the results.
  void compute(const Formula &formula, GroupBatch *groups);

  // Gives large memory back.
  void clear();

  const Formula &formula() const { return *formula_; }
  bool is_missing(size_t group) const {
    return formula_->is_number() ? !is_number(numbers_[group]) : texts_[group].data() == nullptr;
  }
  // The number; kNoNumber if there is none. REQUIRES: formula().is_number()
  Number number(size_t group) const { return numbers_[group]; }
  // Appends the result as a column shows it. A missing one is "", and null in JSON.
  void append(size_t group, Notation notation, std::string *out) const;
  // Calls take(group, reason) for each group without a result although no input is missing, such
  // as one with a divisor that is 0.
  template <typename Take>
  void each_fault(Take take) const {
    Bits seen;
    for (const BadValue &value : bad_) {
      u64 &word = seen.words[value.record / 64u];
      const u64 bit = u64{1} << (value.record % 64u);
      if ((word & bit) == 0 && is_missing(value.record)) take(value.record, reason_of(value));
      word |= bit;
    }
  }

 private:
  static std::string reason_of(const BadValue &value);
  void give_numbers(const Column &shown, const ComputedField *as, size_t input, GroupBatch *groups);
  void give_texts(const Column &shown, size_t input, GroupBatch *groups);

  const Formula *formula_ = nullptr;
  RecordBatch inputs_;
  std::vector<std::string> input_texts_;
  ValueCache cache_;
  NumberColumnOf numbers_;
  TextColumnOf texts_;
  std::vector<BadValue> bad_;
};

// Keys and states stay where they are. Not thread safe.
class GroupBatch {
 public:
  // `layout` outlives what is added.
  explicit GroupBatch(const StateLayout &layout) { clear(layout); }

  void clear() {
    size_ = 0;
    if (used_ == 0) return;
    for (; used_ > 0; --used_) results_[used_ - 1]->clear();
    arena_.clear();
  }
  void clear(const StateLayout &layout) {
    clear();
    layout_ = &layout;
    capacity_ = layout.finishes_alone() ? 1 : RecordBatch::kCapacity;
  }
  // REQUIRES: !is_full()
  void add(Bytes key, const State *state) {
    keys_[static_cast<size_t>(size_)] = key;
    states_[static_cast<size_t>(size_++)] = state;
  }

  i64 size() const { return size_; }
  bool is_full() const { return size_ >= capacity_; }
  Bytes key(i64 group) const { return keys_[static_cast<size_t>(group)]; }
  const State *state(i64 group) const { return states_[static_cast<size_t>(group)]; }
  const StateLayout &layout() const { return *layout_; }
  Arena *arena() { return &arena_; }

  // Computed at the first call since groups were added. REQUIRES: none is added after it
  const FormulaResults &results(const Formula &formula);
  // Appends what a column shows of a group. A formula is computed for all groups at once.
  void append(const Column &column, i64 group, Notation notation, std::string *out);
  u64 rank(const Column &column, i64 group);
  // Returns what StateLayout::number() does, for formulas too.
  Number number(const Column &column, i64 group);

 private:
  const StateLayout *layout_ = nullptr;
  i64 size_ = 0, capacity_ = 0;
  std::array<Bytes, RecordBatch::kCapacity> keys_;
  std::array<const State *, RecordBatch::kCapacity> states_;
  Arena arena_;                                           // of what is computed
  std::vector<std::unique_ptr<FormulaResults>> results_;  // those from used_ on are free
  size_t used_ = 0;
};

// A batch that this thread has used before, or a new one: its memory is taken once.
class BorrowedBatch {
 public:
  explicit BorrowedBatch(const StateLayout &layout);
  ~BorrowedBatch();
  BorrowedBatch(const BorrowedBatch &) = delete;
  GroupBatch &operator*() const { return *batch_; }
  GroupBatch *operator->() const { return batch_.get(); }

 private:
  std::unique_ptr<GroupBatch> batch_;
};

}  // namespace mrc
