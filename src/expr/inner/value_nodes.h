// The nodes of compiled expressions (evaluate.h). Most are made of a rule for one record.
#pragma once

#include "expr/evaluate.h"

#include <string>
#include <type_traits>
#include <utility>

namespace mrc {

// The record of a batch for which a rule is called.
struct Here {
  const FilterInput &input;
  size_t record;

  Arena *arena() const { return input.arena; }
  // Returns the text that append(&text) appends, or none if that returns false.
  template <typename Append>
  MRC_INLINE Bytes text_by(Append append) const {
    thread_local std::string text;
    text.clear();
    return append(&text) ? keep_text(text, arena()) : Bytes();
  }
  // Notes a value without a result, unless the reason is empty.
  void note(Bytes value, const std::string &reason) const {
    if (reason.empty() || input.bad == nullptr) return;
    input.bad->push_back({static_cast<u16>(record), value, reason.c_str()});
  }
};

// The result of a rule for a record in which one of the values is missing.
template <typename Out>
inline constexpr Out kNothing = kNoNumber;
template <>
inline constexpr bool kNothing<bool> = false;
template <>
inline constexpr Bytes kNothing<Bytes> = {};

MRC_INLINE bool is_there(Number number) { return number != kNoNumber; }
MRC_INLINE bool is_there(Bytes text) { return text.data() != nullptr; }

// Calls Out rule(here, values...) if all values are there.
template <typename Rule, typename... In>
using ResultOf = std::invoke_result_t<const Rule &, const Here &, In...>;
template <typename Rule, typename... In>
MRC_INLINE ResultOf<Rule, In...> call_rule(const Rule &rule, const Here &here, In... values) {
  return (is_there(values) && ...) ? rule(here, values...) : kNothing<ResultOf<Rule, In...>>;
}

// Reads the values of the wanted records. `spare` is a column for the first, or null.
template <typename First, typename... More>
auto read_columns(const std::tuple<ValuesPtr<First>, ValuesPtr<More>...> &of,
                  const FilterInput &input, const Bits &wanted, ColumnOf<First> *spare = nullptr) {
  if (spare == nullptr) spare = new_column<ColumnOf<First>>(input.arena);
  return std::apply(
      [&](const ValuesPtr<First> &first, const ValuesPtr<More> &...more) {
        return std::tuple<const First *, const More *...>{
            first->read(input, wanted, spare),
            more->read(input, wanted, new_column<ColumnOf<More>>(input.arena))...};
      },
      of);
}

// Values that fill(input, wanted, out) sets, as Values::fill() does.
template <typename Value, typename Fill>
class FilledValues : public Values<Value> {
 public:
  explicit FilledValues(Fill fill) : fill_(std::move(fill)) {}
  void fill(const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) const override {
    fill_(input, wanted, out);
  }

 private:
  Fill fill_;
};
template <typename Value, typename Fill>
ValuesPtr<Value> make_filled(Fill fill) {
  return std::make_unique<FilledValues<Value, Fill>>(std::move(fill));
}

// The records that select(input, wanted) returns, as Condition::select() does.
template <typename Select>
class SelectedCondition : public Condition {
 public:
  explicit SelectedCondition(Select select) : select_(std::move(select)) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    return select_(input, wanted);
  }

 private:
  Select select_;
};
template <typename Select>
ConditionPtr make_selected(Select select) {
  return std::make_unique<SelectedCondition<Select>>(std::move(select));
}

// A condition that knows its outlook for each page: say(page).
template <typename Say>
class ForeseenCondition : public Condition {
 public:
  ForeseenCondition(ConditionPtr condition, Say say)
      : condition_(std::move(condition)), say_(std::move(say)) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    return condition_->select(input, wanted);
  }
  Outlook outlook(PageBounds page) const override { return say_(page); }

 private:
  ConditionPtr condition_;
  Say say_;
};
template <typename Say>
ConditionPtr make_foreseen(ConditionPtr condition, Say say) {
  return std::make_unique<ForeseenCondition<Say>>(std::move(condition), std::move(say));
}
// Makes the outlook of a condition on one field: say(bounds). Null: the values are computed.
template <typename Say>
ConditionPtr make_foreseen_of(i64 field, ConditionPtr condition, Say say) {
  if (field < 0) return condition;
  return make_foreseen(std::move(condition), [field, say = std::move(say)](PageBounds page) {
    const FieldBounds *bounds = page[static_cast<size_t>(field)];
    return say(bounds == nullptr ? FieldBounds() : *bounds);
  });
}
// Says that a condition notes no values, if it reads a field as it is in the record.
inline ConditionPtr make_silent(i64 field, ConditionPtr condition) {
  if (field < 0) return condition;
  return make_foreseen(std::move(condition), [](PageBounds) { return Outlook{.notes = false}; });
}

// Make the values, or the condition, of a rule for each record: Number, Bytes or bool rule(here,
// values...). Where a value is missing, so is the result, and the condition does not hold.
template <typename Rule, typename First, typename... More>
auto make_values(Rule rule, ValuesPtr<First> first, ValuesPtr<More>... more) {
  using Out = ResultOf<Rule, First, More...>;
  return make_filled<Out>(
      [rule = std::move(rule), of = std::tuple(std::move(first), std::move(more)...)](
          const FilterInput &input, const Bits &wanted, ColumnOf<Out> *out) {
        ColumnOf<First> *spare = nullptr;
        if constexpr (std::is_same_v<First, Out>) spare = out;
        const auto fill_from = [&](const auto *...column) {
          for_wanted(wanted,
                     [&](size_t i) { (*out)[i] = call_rule(rule, Here{input, i}, column[i]...); });
        };
        std::apply(fill_from, read_columns(of, input, wanted, spare));
      });
}
template <typename Rule, typename... In>
ConditionPtr make_condition(Rule rule, ValuesPtr<In>... of) {
  return make_selected([rule = std::move(rule), of = std::tuple(std::move(of)...)](
                           const FilterInput &input, const Bits &wanted) {
    const auto select_from = [&](const auto *...column) {
      return select_if(wanted,
                       [&](size_t i) { return call_rule(rule, Here{input, i}, column[i]...); });
    };
    return std::apply(select_from, read_columns(of, input, wanted));
  });
}

// A rule without a result for some values: it returns kBadNumber, or no text for a number or a text
// that is neither empty nor "-". The first value is noted with the reason, and the result is
// missing.
template <typename Rule>
class Noted {
 public:
  Noted(std::string reason, Rule rule) : reason_(std::move(reason)), rule_(std::move(rule)) {}
  template <typename First, typename... More>
  MRC_INLINE auto operator()(const Here &here, First first, More... more) const {
    auto result = rule_(here, first, more...);
    if (is_bad(result, first)) [[unlikely]] {
      here.note(text_of(first), reason_);
      result = kNothing<decltype(result)>;
    }
    return result;
  }

 private:
  template <typename First>
  static bool is_bad(Number result, First) {
    return result == kBadNumber;
  }
  static bool is_bad(Bytes result, Bytes of) { return result.data() == nullptr && !is_absent(of); }
  static bool is_bad(Bytes result, Number of) { return result.data() == nullptr && is_number(of); }
  static Bytes text_of(Bytes text) { return text; }
  static Bytes text_of(Number) { return {}; }

  std::string reason_;
  Rule rule_;
};

// REQUIRES: the text is a number
NumbersPtr make_constant_numbers(std::string_view text);
TextsPtr make_constant_texts(std::string text);
// Values that are missing in all records.
template <typename Value>
ValuesPtr<Value> make_nothing();
TextsPtr make_field_texts(i64 field);
// Values of a computed field for an expression that names it. `fields` are the fields that it
// reads, as numbers of the fields of that expression.
template <typename Value>
ValuesPtr<Value> make_named(std::shared_ptr<const ComputedField> of, std::vector<i64> fields);
// Values are the buckets of the texts. A text without a bucket is missing, and noted with the
// reason.
TextsPtr make_bucket_texts(TextsPtr texts, std::shared_ptr<const Bucket> bucket,
                           std::string reason);
NumbersPtr make_parsed_numbers(TextsPtr texts, std::string reason);
TextsPtr make_number_texts(NumbersPtr numbers);
// 1 where the condition holds, 0 elsewhere.
NumbersPtr make_truth_numbers(ConditionPtr condition);
// `sign` is one of + - * / %. `typed` is the whole expression, for messages.
NumbersPtr make_arithmetic(char sign, NumbersPtr left, NumbersPtr right, const std::string &typed);

}  // namespace mrc
