#include "expr/inner/conditions.h"

#include "expr/inner/kind_values.h"
#include "expr/inner/value_nodes.h"

#include <limits>

namespace mrc {
namespace {

// Returns the field that the texts are; -1 if they are computed, or null because of an error.
i64 field_of(const TextsPtr &texts) { return texts == nullptr ? -1 : texts->field(); }

using Conditions = std::vector<ConditionPtr>;

constexpr i64 kDigitsEnd = i64{1} << 58;  // larger than the digits of any number in a word

// Each condition evaluates only the records that the earlier ones have not decided.
template <bool kAll>
class JoinedCondition : public Condition {
 public:
  explicit JoinedCondition(Conditions conditions) : conditions_(std::move(conditions)) {}

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    Bits left = wanted;
    for (const ConditionPtr &condition : conditions_) {
      if (is_empty(left)) break;
      const Bits selected = condition->select(input, left);
      left = kAll ? selected : without(left, selected);
    }
    return kAll ? left : without(wanted, left);
  }

  // If no record is left, later conditions are not evaluated, and note nothing.
  Outlook outlook(PageBounds page) const override {
    Outlook all{.holds = kAll, .notes = false};
    for (const ConditionPtr &condition : conditions_) {
      const Outlook next = condition->outlook(page);
      all.notes |= next.notes;
      all.holds = kAll ? next.holds : all.holds || next.holds;
      if (kAll && !all.holds) break;
    }
    return all;
  }

 private:
  Conditions conditions_;
};
template <bool kAll>
ConditionPtr make_joined(Conditions conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  return std::make_unique<JoinedCondition<kAll>>(std::move(conditions));
}

// Return true if the relation to the last argument may hold for a value of the extent.
bool may_hold(const NumberExtent &numbers, Relation relation, Number value) {
  if (!numbers.any) return relation == Relation::unequal && numbers.misfits;
  switch (relation) {
    case Relation::equal: return numbers.may_be(value);
    case Relation::unequal: return true;
    case Relation::less:
    case Relation::at_most: return holds_for(relation, compare_numbers(numbers.least, value));
    case Relation::greater:
    case Relation::at_least: return holds_for(relation, compare_numbers(numbers.most, value));
  }
  return true;
}

bool may_hold(const TextExtent &texts, Relation relation, Bytes text) {
  if (!texts.any) return false;
  switch (relation) {
    case Relation::equal: return texts.may_be(text);
    case Relation::unequal: return true;
    case Relation::less: return texts.least < text;
    case Relation::at_most: return texts.least <= text;
    case Relation::greater: return !texts.all_at_most(text);
    case Relation::at_least: return !texts.all_below(text);
  }
  return true;
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

// A constant number, and the memory that it may refer to.
struct Literal {
  Arena arena;
  Number number = kNoNumber;
};
std::shared_ptr<const Literal> read_literal(std::string_view digits) {
  auto literal = std::make_shared<Literal>();
  literal->number = parse_any_number(digits, &literal->arena);
  return literal;
}

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

  Outlook outlook(const FieldBounds &bounds) const {
    const auto &times = bounds.times;
    if (!times || !times->means_same_in(context)) return {.notes = !reason.empty()};
    const bool meets = times->any && times->most >= of.begin && times->least < of.end;
    return {.holds = of.outside || meets, .notes = !reason.empty() && times->misfits};
  }
};

ConditionPtr make_time_condition(TextsPtr texts, TimeRange range) {
  const i64 field = field_of(texts);
  const auto say = [range](const FieldBounds &bounds) { return range.outlook(bounds); };
  return make_foreseen_of(field, make_condition(std::move(range), std::move(texts)), say);
}

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
  const Condition *const of = condition.get();
  ConditionPtr inverse = make_selected(
      [condition = std::move(condition)](const FilterInput &input, const Bits &wanted) {
        return without(wanted, condition->select(input, wanted));
      });
  return make_foreseen(std::move(inverse),
                       [of](PageBounds page) { return Outlook{.notes = of->outlook(page).notes}; });
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
  const i64 field = field_of(texts);
  const bool notes = !reason.empty();
  const auto say = [=, literal = read_literal(digits)](const FieldBounds &bounds) {
    if (!bounds.numbers) return Outlook{.notes = notes};
    return Outlook{.holds = may_hold(*bounds.numbers, relation, literal->number),
                   .notes = notes && bounds.numbers->misfits};
  };
  return make_foreseen_of(
      field, make_condition(ParsedRelation(relation, digits, std::move(reason)), std::move(texts)),
      say);
}

ConditionPtr make_text_comparison(TextsPtr left, Relation relation, TextsPtr right) {
  const auto rule = [relation](const Here &, Bytes a, Bytes b) {
    return holds_for(relation, a.compare(b));
  };
  return make_condition(rule, std::move(left), std::move(right));
}

ConditionPtr make_text_comparison(TextsPtr texts, Relation relation, std::string text) {
  const i64 field = field_of(texts);
  const auto say = [relation, text](const FieldBounds &bounds) {
    return Outlook{.holds = !bounds.texts || may_hold(*bounds.texts, relation, Bytes(text)),
                   .notes = false};
  };
  if (relation == Relation::equal) {
    auto rule = [text = std::move(text)](const Here &, Bytes value) { return value == text; };
    return make_foreseen_of(field, make_condition(std::move(rule), std::move(texts)), say);
  }
  auto rule = [relation, text = std::move(text)](const Here &, Bytes value) {
    return holds_for(relation, value.compare(text));
  };
  return make_foreseen_of(field, make_condition(std::move(rule), std::move(texts)), say);
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
  return make_time_condition(std::move(texts), {context, bounds, std::move(reason)});
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
  return make_time_condition(std::move(texts), {context, {begin, end, false}});
}

}  // namespace mrc
