#include "expr/inner/conditions.h"

#include "expr/inner/kind_values.h"
#include "expr/inner/value_nodes.h"

#include <limits>

namespace mrc {
namespace {

using Conditions = std::vector<ConditionPtr>;

constexpr i64 kDigitsEnd = i64{1} << 58;  // larger than the digits of any number in a word

// Each condition evaluates only the records that the earlier ones have not decided.
template <bool kAll>
ConditionPtr make_joined(Conditions conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  return make_selected(
      [conditions = std::move(conditions)](const FilterInput &input, const Bits &wanted) {
        Bits left = wanted;
        for (const ConditionPtr &condition : conditions) {
          if (is_empty(left)) break;
          const Bits selected = condition->select(input, left);
          left = kAll ? selected : without(left, selected);
        }
        return kAll ? left : without(wanted, left);
      });
}

// A relation to one number. Long numbers, numbers with exponents, and values that are not numbers
// are compared out of line. An empty value and "-", which logs write, are missing.
class ParsedRelation {
 public:
  ParsedRelation(Relation relation, std::string_view digits, std::string reason)
      : reason_(std::move(reason)), relation_(relation, digits) {}
  MRC_INLINE bool operator()(const Here &here, Bytes value) const {
    Number number;
    if (!parse_number_fast(value, &number)) [[unlikely]]
      return holds_slowly(here, value);
    return relation_.holds_for_narrow(number);
  }

 private:
  bool holds_slowly(const Here &here, Bytes value) const {
    thread_local Arena scratch;
    scratch.clear();
    const Number number = parse_any_number(value, &scratch);
    if (is_number(number)) return relation_.holds(number);
    if (number == kNoNumber) return false;
    here.note(value, reason_);
    return relation_.relation() == Relation::unequal;
  }

  std::string reason_;
  LiteralRelation relation_;
};

struct TimeRange {
  TimeContext context;
  ValueRange of;
  std::string reason = "";

  bool operator()(const Here &here, Bytes value) const {
    if (is_absent(value)) return false;
    const std::optional<i64> time = read_time(value, context);
    if (time) [[likely]]
      return (*time >= of.begin && *time < of.end) != of.outside;
    here.note(value, reason);
    return of.outside;
  }
};

}  // namespace

ValueRange bounds_of(Relation relation, i64 begin, i64 end, i64 first, i64 last) {
  switch (relation) {
    case Relation::equal: return {begin, end, false};
    case Relation::unequal: return {begin, end, true};
    case Relation::less: return {first, begin, false};
    case Relation::at_most: return {first, end, false};
    case Relation::greater: return {end, last, false};
    case Relation::at_least: return {begin, last, false};
  }
  return {};
}

// For each scale of a number in a word, the relation is a range of its digits: "< 0.5" is all
// digits below 5 at scale 1, and below 50 at scale 2. So each comparison is one table lookup.
// Bisection finds the bounds with compare_numbers(), which alone defines the order of numbers.
LiteralRelation::LiteralRelation(Relation relation, std::string_view literal)
    : relation_(relation),
      literal_(parse_any_number(literal, &arena_)),
      inside_(relation != Relation::unequal) {
  for (i64 scale = 0; scale <= kLargestScale; ++scale) {
    ranges_[static_cast<size_t>(scale)] = range_at(scale);
  }
}

// Returns the first digits at this scale that are not less than the literal, or greater than it.
i64 LiteralRelation::first_digits(i64 scale, bool greater) const {
  i64 begin = -kDigitsEnd, end = kDigitsEnd;
  while (begin < end) {
    const i64 middle = begin + (end - begin) / 2;
    const int order = compare_numbers(make_number(middle, scale), literal_);
    if (order > 0 || (order == 0 && !greater)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

LiteralRelation::Range LiteralRelation::range_at(i64 scale) const {
  const ValueRange bounds = bounds_of(relation_, first_digits(scale, false),
                                      first_digits(scale, true), -kDigitsEnd, kDigitsEnd);
  return {bounds.begin, static_cast<u64>(bounds.end - bounds.begin)};
}

ConditionPtr make_all(Conditions conditions) { return make_joined<true>(std::move(conditions)); }
ConditionPtr make_any(Conditions conditions) { return make_joined<false>(std::move(conditions)); }
ConditionPtr make_not(ConditionPtr condition) {
  return make_selected(
      [condition = std::move(condition)](const FilterInput &input, const Bits &wanted) {
        return without(wanted, condition->select(input, wanted));
      });
}

ConditionPtr make_number_comparison(NumbersPtr left, Relation relation, NumbersPtr right) {
  const auto rule = [relation](const Here &, Number a, Number b) {
    if (is_number(a) && is_number(b)) [[likely]]
      return holds_for(relation, order_of_numbers(a, b));
    return relation == Relation::unequal;
  };
  return make_condition(rule, std::move(left), std::move(right));
}

ConditionPtr make_constant_comparison(NumbersPtr numbers, Relation relation,
                                      const std::string &digits) {
  auto rule = [to_literal = LiteralRelation(relation, digits)](const Here &, Number number) {
    if (number == kBadNumber) return to_literal.relation() == Relation::unequal;
    return to_literal.holds(number);
  };
  return make_condition(std::move(rule), std::move(numbers));
}

ConditionPtr make_parsed_comparison(TextsPtr texts, Relation relation, const std::string &digits,
                                    std::string reason) {
  return make_condition(ParsedRelation(relation, digits, std::move(reason)), std::move(texts));
}

ConditionPtr make_text_comparison(TextsPtr left, Relation relation, TextsPtr right) {
  const auto rule = [relation](const Here &, Bytes a, Bytes b) {
    return holds_for(relation, a.compare(b));
  };
  return make_condition(rule, std::move(left), std::move(right));
}

ConditionPtr make_text_comparison(TextsPtr texts, Relation relation, std::string text) {
  if (relation == Relation::equal) {
    auto rule = [text = std::move(text)](const Here &, Bytes value) { return value == text; };
    return make_condition(std::move(rule), std::move(texts));
  }
  auto rule = [relation, text = std::move(text)](const Here &, Bytes value) {
    return holds_for(relation, value.compare(text));
  };
  return make_condition(std::move(rule), std::move(texts));
}

ConditionPtr make_span_comparison(NumbersPtr seconds, Relation relation, TimeSpan span) {
  const Relation ends = span.is_instant() ? Relation::greater : Relation::at_least;
  auto rule = [relation, before = LiteralRelation(Relation::less, seconds_text(span.begin)),
               after = LiteralRelation(ends, seconds_text(span.end))](const Here &, Number number) {
    if (number == kBadNumber) return relation == Relation::unequal;
    return holds_for(relation, before.holds(number) ? -1 : after.holds(number) ? 1 : 0);
  };
  return make_condition(std::move(rule), std::move(seconds));
}

ConditionPtr make_time_comparison(TextsPtr texts, const TimeContext &context, Relation relation,
                                  TimeSpan span, std::string reason) {
  constexpr i64 kFirst = std::numeric_limits<i64>::min(), kEnd = std::numeric_limits<i64>::max();
  const i64 end = span.end + span.is_instant();
  const ValueRange bounds = bounds_of(relation, span.begin, end, kFirst, kEnd);
  return make_condition(TimeRange{context, bounds, std::move(reason)}, std::move(texts));
}

ConditionPtr make_range_comparison(TextsPtr keys, Relation relation, const AddressRange &range) {
  const auto rule = [relation, range](const Here &, Bytes key) {
    // The order is negative before the range, 0 within, and positive after it.
    const int order = key < bytes_of(range.first) ? -1 : key > bytes_of(range.last) ? 1 : 0;
    return holds_for(relation, order);
  };
  return make_condition(rule, std::move(keys));
}

ConditionPtr make_time_range(TextsPtr texts, const TimeContext &context, i64 begin, i64 end) {
  return make_condition(TimeRange{context, {begin, end, false}}, std::move(texts));
}

}  // namespace mrc
