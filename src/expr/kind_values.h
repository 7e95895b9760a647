// Values as one kind (fields/kind.h): numbers that compare as values of the kind do, and
// comparisons with constants.
#pragma once

#include "expr/constant.h"
#include "expr/evaluate.h"
#include "expr/expression.h"

#include <string>

namespace mrc {

// Reads a value of a kind as a number: a time or a duration as seconds, a level as its rank, truth
// as 1 or 0.
struct KindReader {
  ValueKind kind;
  TimeContext context;
  i64 unit_ns = 0;                        // of fields that hold durations as plain numbers
  LevelWords levels = LevelWords::usual;  // of fields that hold levels

  // kNoNumber for a value that is empty or "-"; kBadNumber for one that is not of the kind.
  Number read(Bytes text, Arena *arena) const;
};

// A value that does not fit is noted for this reason, and missing; without a reason it is
// kBadNumber.
NumbersPtr make_kind_numbers(TextsPtr texts, const KindReader &reader, std::string reason);
// Seconds that are a time of the years that there are; others are noted, and missing.
NumbersPtr make_times(NumbersPtr seconds, std::string reason);
std::string reason_no_time(const Expression &call);
// Seconds since 1970 as times that people read: 2026-11-03T10:00:00Z.
TextsPtr make_time_texts(NumbersPtr seconds, const TimeContext &context);
// Kinds whose values are compared by keys: text whose order as bytes is that of the values.
constexpr bool has_keys(ValueKind kind) {
  return kind == ValueKind::address || kind == ValueKind::version;
}
// The texts as keys. What does not fit the kind is missing, or without a reason unequal to all
// others, also to what does not fit on the other side of a comparison. REQUIRES: has_keys(kind)
TextsPtr make_order_keys(ValueKind kind, TextsPtr texts, std::string reason, bool is_left);

// Comparisons with constants; all are false if a value is missing. What is not of the kind is
// unequal.
ConditionPtr make_constant_comparison(NumbersPtr numbers, Relation relation,
                                      const std::string &digits);
ConditionPtr make_span_comparison(NumbersPtr seconds, Relation relation, TimeSpan span);
// Compares a field without a column of numbers in between. A value that is not a time is noted if
// there is a reason.
ConditionPtr make_time_comparison(Operand operand, const TimeContext &context, Relation relation,
                                  TimeSpan span, std::string reason);
ConditionPtr make_range_comparison(TextsPtr address_keys, Relation relation,
                                   const AddressRange &range);

// "price in price * qty is not a number".
std::string reason_not_of_kind(ValueKind kind, const Expression &value, const Expression &user);
// Nanoseconds as digits of seconds.
std::string seconds_text(i64 nanoseconds);

}  // namespace mrc
