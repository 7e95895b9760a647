#include "combine/group_batch.h"

#include "combine/figure.h"

#include <algorithm>

namespace mrc {

void FormulaResults::compute(const Formula &formula, GroupBatch *groups) {
  formula_ = &formula;
  bad_.clear();
  cache_.clear();
  inputs_.set_columns(formula.inputs().size());
  inputs_.size = groups->size();
  input_texts_.resize(std::max(input_texts_.size(), formula.inputs().size()));
  for (size_t i = 0; i < formula.inputs().size(); ++i) {
    const auto &[column, number] = formula.inputs()[i];
    const Column &shown = column.same_as < 0 ? column : groups->layout().column(column.same_as);
    number ? give_numbers(shown, number.get(), i, groups) : give_texts(shown, i, groups);
  }
  const FilterInput input{inputs_, formula.fields(), groups->arena(), &bad_, &cache_};
  const Bits all = first_bits(groups->size());
  const ComputedField &computed = formula.computed();
  formula.is_number() ? computed.numbers()->fill(input, all, &numbers_)
                      : computed.texts().fill(input, all, &texts_);
}

// A number beyond all doubles is given as text, so that the expression reports it.
void FormulaResults::give_numbers(const Column &shown, const ComputedField *as, size_t input,
                                  GroupBatch *groups) {
  auto *numbers = new_column<NumberColumnOf>(groups->arena());
  Bits bad;
  for (i64 i = 0; i < groups->size(); ++i) {
    const auto at = static_cast<size_t>(i);
    (*numbers)[at] = groups->number(shown, i);
    if ((*numbers)[at] == kBadNumber) [[unlikely]]
      bad.words[at / 64] |= u64{1} << (at % 64);
  }
  *cache_.of<Number>(as) = {numbers, without(first_bits(groups->size()), bad)};
  if (bad.words != Bits().words) give_texts(shown, input, groups);
}

// Texts are adjacent, because a text may be over-read into the next.
void FormulaResults::give_texts(const Column &shown, size_t input, GroupBatch *groups) {
  std::string &text = input_texts_[input];
  text.clear();
  std::array<size_t, RecordBatch::kCapacity + 1> ends{};
  for (i64 i = 0; i < groups->size(); ++i) {
    groups->append(shown, i, Notation::exact, &text);
    ends[static_cast<size_t>(i) + 1] = text.size();
  }
  text.append(kPadding, '\0');
  for (size_t i = 0; i < static_cast<size_t>(groups->size()); ++i) {
    const size_t size = ends[i + 1] - ends[i];
    const bool is_there = size > 0 || shown.finish_of_key != nullptr;
    inputs_.fields[input][i] = is_there ? Bytes(text).substr(ends[i], size) : Bytes();
  }
}

void FormulaResults::clear() {
  constexpr size_t kLargeText = size_t{64} << 10;
  for (std::string &text : input_texts_) {
    if (text.capacity() > kLargeText) text = std::string();
  }
}

void FormulaResults::append(size_t group, Notation notation, std::string *out) const {
  if (is_missing(group)) return append_nothing(notation, out);
  if (!formula_->is_number()) return append_text(texts_[group], notation, out);
  const NumberStyle style = notation == Notation::exact ? NumberStyle{} : formula_->style();
  Figure::of(numbers_[group]).append(style, notation, out);
}

std::string FormulaResults::reason_of(const BadValue &value) {
  std::string reason = value.reason;
  if (!value.value.empty()) reason.append(": ").append(value.value);
  return reason;
}

const FormulaResults &GroupBatch::results(const Formula &formula) {
  for (size_t i = 0; i < used_; ++i) {
    if (&results_[i]->formula() == &formula) return *results_[i];
  }
  if (used_ == results_.size()) results_.push_back(std::make_unique<FormulaResults>());
  FormulaResults &results = *results_[used_++];
  results.compute(formula, this);
  return results;
}

void GroupBatch::append(const Column &column, i64 group, Notation notation, std::string *out) {
  if (column.formula) {
    return results(*column.formula).append(static_cast<size_t>(group), notation, out);
  }
  layout_->finish(column, state(group), notation, out, key(group));
}

u64 GroupBatch::rank(const Column &column, i64 group) {
  if (!column.formula) return layout_->rank(column, state(group), key(group));
  const FormulaResults &of = results(*column.formula);
  const auto at = static_cast<size_t>(group);
  return of.is_missing(at) || column.text ? 0 : Figure::of(of.number(at)).rank();
}

Number GroupBatch::number(const Column &column, i64 group) {
  if (!column.formula) return layout_->number(column, state(group), key(group), &arena_);
  const Number number = results(*column.formula).number(static_cast<size_t>(group));
  return is_number(number) ? Figure::of(number).number(&arena_) : kNoNumber;
}

namespace {

// A thread needs several batches if a group's text includes formulas of its own.
thread_local std::vector<std::unique_ptr<GroupBatch>> free_batches;

}  // namespace

BorrowedBatch::BorrowedBatch(const StateLayout &layout) {
  if (free_batches.empty()) {
    batch_ = std::make_unique<GroupBatch>(layout);
    return;
  }
  batch_ = std::move(free_batches.back());
  free_batches.pop_back();
  batch_->clear(layout);
}

BorrowedBatch::~BorrowedBatch() {
  batch_->clear();
  free_batches.push_back(std::move(batch_));
}

}  // namespace mrc
