// Conditions: combinations of others, and comparisons of values. A comparison with a missing value
// is false.
#pragma once

#include "base/number.h"
#include "expr/evaluate.h"
#include "expr/inner/constant.h"

#include <array>

namespace mrc {

enum class Relation { equal, unequal, less, at_most, greater, at_least };
// True if the relation holds for two values with this order: below 0, 0 or above.
MRC_INLINE bool holds_for(Relation relation, int order) {
  switch (relation) {
    case Relation::equal: return order == 0;
    case Relation::unequal: return order != 0;
    case Relation::less: return order < 0;
    case Relation::at_most: return order <= 0;
    case Relation::greater: return order > 0;
    case Relation::at_least: return order >= 0;
  }
  return false;
}

// The values in [begin, end), or all others.
struct ValueRange {
  i64 begin, end;
  bool outside;
};
// Returns the values from `first` to `last` for which the relation to one in [begin, end) holds.
ValueRange bounds_of(Relation relation, i64 begin, i64 end, i64 first, i64 last);

// A relation to one number, for comparisons with many numbers.
// At each scale, the numbers for which the relation holds are a range of digits. The ranges are
// computed in advance, so a number of any scale is compared by its digits.
class LiteralRelation {
 public:
  // REQUIRES: the text is a number
  LiteralRelation(Relation relation, std::string_view literal);

  Relation relation() const { return relation_; }
  // REQUIRES: is_narrow(number)
  MRC_INLINE bool holds_for_narrow(Number number) const {
    const Range &range = ranges_[static_cast<size_t>(scale_of(number))];
    return (static_cast<u64>(digits_of(number) - range.begin) < range.size) == inside_;
  }
  // REQUIRES: is_number(number)
  MRC_INLINE bool holds(Number number) const {
    if (is_narrow(number)) [[likely]]
      return holds_for_narrow(number);
    return holds_for(relation_, compare_numbers(number, literal_));
  }

 private:
  // [begin, begin + size)
  struct Range {
    i64 begin = 0;
    u64 size = 0;
  };
  Range range_at(i64 scale) const;
  i64 first_digits(i64 scale, bool greater) const;

  Relation relation_;
  Arena arena_;
  Number literal_;
  bool inside_;  // the relation holds within the ranges; false: outside of them
  std::array<Range, kLargestScale + 1> ranges_;
};

ConditionPtr make_all(std::vector<ConditionPtr> conditions);
ConditionPtr make_any(std::vector<ConditionPtr> conditions);
ConditionPtr make_not(ConditionPtr condition);

// Compares numbers. kBadNumber is unequal to every number.
ConditionPtr make_number_comparison(NumbersPtr left, Relation relation, NumbersPtr right);
ConditionPtr make_constant_comparison(NumbersPtr numbers, Relation relation,
                                      const std::string &digits);
// Compares texts as numbers, without a column of numbers. A value that is not a number is unequal
// to every number, and is noted if there is a reason.
ConditionPtr make_parsed_comparison(TextsPtr texts, Relation relation, const std::string &digits,
                                    std::string reason);
// Compare bytes, with others or with one text.
ConditionPtr make_text_comparison(TextsPtr left, Relation relation, TextsPtr right);
ConditionPtr make_text_comparison(TextsPtr texts, Relation relation, std::string text);

// Compare times with a span: seconds, or texts that are times, without a column of numbers. A text
// that is not a time is unequal to every time, and is noted if there is a reason.
ConditionPtr make_span_comparison(NumbersPtr seconds, Relation relation, TimeSpan span);
ConditionPtr make_time_comparison(TextsPtr texts, const TimeContext &context, Relation relation,
                                  TimeSpan span, std::string reason);
// Compares the keys of addresses with a range.
ConditionPtr make_range_comparison(TextsPtr keys, Relation relation, const AddressRange &range);
// Selects times in [begin, end), in nanoseconds since 1970. Values that are not times are not
// selected.
ConditionPtr make_time_range(TextsPtr texts, const TimeContext &context, i64 begin, i64 end);

}  // namespace mrc
