// combine: groups that are finished together, and the results of their formulas.
#pragma once

#include "base/arena.h"
#include "combine/combine.h"
#include "combine/formula.h"
#include "expr/evaluate.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

class GroupBatch;

// The results of a formula for the groups of a batch. Not thread safe.
class FormulaResults {
 public:
  // REQUIRES: the formula and the batch outlive the results
  void compute(const Formula &formula, GroupBatch *groups);

  // Frees large memory.
  void clear();

  const Formula &formula() const { return *formula_; }
  bool is_missing(size_t group) const {
    return formula_->is_number() ? !is_number(numbers_[group]) : texts_[group].data() == nullptr;
  }
  // Returns kNoNumber if the result is missing. REQUIRES: formula().is_number()
  Number number(size_t group) const { return numbers_[group]; }
  // Appends the result as a column shows it. A missing result is "", and null in JSON.
  void append(size_t group, Notation notation, std::string *out) const;
  // Calls take(group, reason) for each group whose result is missing although no input is missing,
  // such as a division by 0.
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

// A batch of groups. Their keys and states are borrowed. Not thread safe.
class GroupBatch {
 public:
  // REQUIRES: `layout` outlives the groups that are added
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

  // Computes the results at the first call after clear(). REQUIRES: no group is added afterwards
  const FormulaResults &results(const Formula &formula);
  // Appends the column's text for a group. A formula is computed for all groups at once.
  void append(const Column &column, i64 group, Notation notation, std::string *out);
  u64 rank(const Column &column, i64 group);
  // Does what StateLayout::number() does, and computes formulas, too.
  Number number(const Column &column, i64 group);

 private:
  const StateLayout *layout_ = nullptr;
  i64 size_ = 0, capacity_ = 0;
  std::array<Bytes, RecordBatch::kCapacity> keys_;
  std::array<const State *, RecordBatch::kCapacity> states_;
  Arena arena_;                                           // for computed results
  std::vector<std::unique_ptr<FormulaResults>> results_;  // free from used_ on
  size_t used_ = 0;
};

// A batch that this thread has used before, or a new one. Reuse saves allocations.
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
