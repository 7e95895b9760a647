// The nodes that compiled expressions are made of (evaluate.h).
#pragma once

#include "expr/evaluate.h"
#include "expr/expression.h"
#include "regex/regex.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// REQUIRES: the text is a number
NumbersPtr make_constant_numbers(std::string_view text);
TextsPtr make_constant_texts(std::string text);
// Missing in all records.
NumbersPtr make_no_numbers();
TextsPtr make_no_texts();
// Values of a field. `reason`: what is said of one that is no number.
NumbersPtr make_field_numbers(Operand operand, std::string reason);
TextsPtr make_field_texts(Operand operand);
// The buckets that the texts fall into. A text without one is missing.
// A value without a bucket is noted for this reason.
TextsPtr make_bucket_texts(TextsPtr texts, std::shared_ptr<const Bucket> bucket,
                           std::string reason);
NumbersPtr make_parsed_numbers(TextsPtr texts, std::string reason);
TextsPtr make_number_texts(NumbersPtr numbers);
// 1 where it holds, 0 elsewhere.
NumbersPtr make_truth_numbers(ConditionPtr condition);
// `sign`: one of + - * / %. `typed`: the whole, for messages.
NumbersPtr make_arithmetic(char sign, NumbersPtr left, NumbersPtr right, const std::string &typed);
// A comparison with a missing value is false. kBadNumber is unequal to every number.
ConditionPtr make_number_comparison(NumbersPtr left, Relation relation, NumbersPtr right);
// Compares bytes.
ConditionPtr make_text_comparison(TextsPtr left, Relation relation, TextsPtr right);
NumbersPtr make_number_choice(ConditionPtr condition, NumbersPtr yes, NumbersPtr no);
TextsPtr make_text_choice(ConditionPtr condition, TextsPtr yes, TextsPtr no);
// The first that is there: not missing, empty or "-".
NumbersPtr make_first_number(std::vector<NumbersPtr> values);
TextsPtr make_first_text(std::vector<TextsPtr> values);

// "price in price*qty is not a number"
std::string reason_not_a_number(const Expression &value, const Expression &user);
// Errors say that the pattern is not a regular expression, and why.
Result<std::unique_ptr<Regex>> compile_regex(const std::string &pattern);

template <typename... Values>
auto list_of(Values... values) {
  std::vector<std::common_type_t<Values...>> list;
  (list.push_back(std::move(values)), ...);
  return list;
}

// The columns of several values.
template <typename Column, typename Values>
std::vector<Column *> fill_all(const std::vector<Values> &values, const FilterInput &input,
                               const Bits &wanted) {
  std::vector<Column *> columns;
  for (const Values &value : values) {
    columns.push_back(new_column<Column>(input.arena));
    value->fill(input, wanted, columns.back());
  }
  return columns;
}

// One record's values.
template <typename Value, size_t kSize, typename Column>
MRC_INLINE std::array<Value, kSize> row_of(const std::vector<Column *> &columns, size_t record) {
  std::array<Value, kSize> row;
  for (size_t i = 0; i < kSize; ++i) row[i] = (*columns[i])[record];
  return row;
}
template <size_t kSize>
MRC_INLINE bool all_there(const std::array<Bytes, kSize> &row) {
  for (const Bytes text : row) {
    if (text.data() == nullptr) return false;
  }
  return true;
}

// Calls Bytes rule(texts, arena) for each record that has all kSize texts. A result that is none is
// reported, if there is a reason.
template <size_t kSize, typename Rule>
class TextsOfTexts : public TextValues {
 public:
  TextsOfTexts(std::vector<TextsPtr> values, Rule rule, std::string reason = "")
      : values_(std::move(values)), rule_(std::move(rule)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    const auto columns = fill_all<TextColumnOf>(values_, input, wanted);
    for_wanted(wanted, [&](size_t i) {
      const auto row = row_of<Bytes, kSize>(columns, i);
      (*out)[i] = all_there(row) ? rule_(row, input.arena) : Bytes();
      const bool is_misfit = (*out)[i].data() == nullptr && !reason_.empty();
      if (is_misfit && !is_absent(row[0])) no_number(input, i, row[0], reason_);
    });
  }

 private:
  std::vector<TextsPtr> values_;
  Rule rule_;
  std::string reason_;
};

// The same for numbers: Number rule(texts, arena). A result that is none is reported, if there is
// a reason.
template <size_t kSize, typename Rule>
class NumbersOfTexts : public NumberValues {
 public:
  NumbersOfTexts(std::vector<TextsPtr> values, Rule rule, std::string reason = "")
      : values_(std::move(values)), rule_(std::move(rule)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    const auto columns = fill_all<TextColumnOf>(values_, input, wanted);
    for_wanted(wanted, [&](size_t i) {
      const auto row = row_of<Bytes, kSize>(columns, i);
      (*out)[i] = all_there(row) ? rule_(row, input.arena) : kNoNumber;
      if ((*out)[i] == kBadNumber) (*out)[i] = no_number(input, i, row[0], reason_);
    });
  }

 private:
  std::vector<TextsPtr> values_;
  Rule rule_;
  std::string reason_;
};

// The same for conditions: bool rule(texts).
template <size_t kSize, typename Rule>
class TextCondition : public Condition {
 public:
  TextCondition(std::vector<TextsPtr> values, Rule rule)
      : values_(std::move(values)), rule_(std::move(rule)) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    const auto columns = fill_all<TextColumnOf>(values_, input, wanted);
    return select_if(wanted, [&](i64 i) {
      const auto row = row_of<Bytes, kSize>(columns, static_cast<size_t>(i));
      return all_there(row) && rule_(row);
    });
  }

 private:
  std::vector<TextsPtr> values_;
  Rule rule_;
};
template <size_t kSize, typename Rule>
ConditionPtr make_text_condition(std::vector<TextsPtr> values, Rule rule) {
  return std::make_unique<TextCondition<kSize, Rule>>(std::move(values), std::move(rule));
}

// What a function makes of kSize numbers, if all are there: Number rule(numbers, arena).
template <size_t kSize, typename Rule>
class NumbersOfNumbers : public NumberValues {
 public:
  NumbersOfNumbers(std::vector<NumbersPtr> values, Rule rule, std::string reason)
      : values_(std::move(values)), rule_(std::move(rule)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    const auto columns = fill_all<NumberColumnOf>(values_, input, wanted);
    for_wanted(wanted, [&](size_t i) {
      const auto row = row_of<Number, kSize>(columns, i);
      const bool there = std::ranges::all_of(row, is_number);
      (*out)[i] = there ? rule_(row, input.arena) : kNoNumber;
      if ((*out)[i] == kBadNumber) [[unlikely]] {
        (*out)[i] = no_number(input, i, {}, reason_);
      }
    });
  }

 private:
  std::vector<NumbersPtr> values_;
  Rule rule_;
  std::string reason_;
};

}  // namespace mrc
