// Values of one kind (kinds/kind.h): numbers or keys that compare as values of the kind do.
#pragma once

#include "expr/evaluate.h"
#include "expr/expression.h"
#include "expr/inner/constant.h"

#include <string>

namespace mrc {

// Reads a value of a kind as a number: a time or a duration in seconds, a level as its rank, truth
// as 1 or 0.
struct KindReader {
  ValueKind kind;
  TimeContext context;
  i64 unit_ns = 0;                        // for fields that hold durations as plain numbers
  LevelWords levels = LevelWords::usual;  // for fields that hold levels

  // Returns kNoNumber for a value that is empty or "-", and kBadNumber for a value of another kind.
  Number read(Bytes text, Arena *arena) const;
};

// A value that does not fit is noted with the reason, and missing. Without a reason, it is
// kBadNumber.
NumbersPtr make_kind_numbers(TextsPtr texts, const KindReader &reader, std::string reason);
// Reads the names of buckets. A value without a bucket is kBadNumber.
NumbersPtr make_bucket_numbers(TextsPtr texts, std::shared_ptr<const Bucket> bucket,
                               const KindReader &reader);
// Takes the seconds of a call as times. Seconds outside the years of times are noted, and missing.
NumbersPtr make_times(NumbersPtr seconds, const Expression &call);
// Formats seconds since 1970 as times: 2026-11-03T10:00:00Z.
TextsPtr make_time_texts(NumbersPtr seconds, const TimeContext &context);
// True for kinds that are compared by keys: text whose bytes order as the values do.
constexpr bool has_keys(ValueKind kind) {
  return kind == ValueKind::address || kind == ValueKind::version;
}
// Converts texts to keys. A value that does not fit the kind is missing or, without a reason,
// unequal to all others, even to one on the other side of a comparison. REQUIRES: has_keys(kind)
TextsPtr make_order_keys(ValueKind kind, TextsPtr texts, std::string reason, bool is_left);

// Returns "price in price * qty is not a number".
std::string reason_not_of_kind(ValueKind kind, const Expression &value, const Expression &user);
// Convert nanoseconds to seconds, with as few decimal places as possible.
template <typename Integer>
Number seconds_of(Integer nanoseconds, Arena *arena) {
  i64 scale = 9;
  for (; scale > 0 && nanoseconds % 10 == 0; --scale) nanoseconds /= 10;
  return decimal_number(nanoseconds, scale, arena);
}
std::string seconds_text(i64 nanoseconds);

}  // namespace mrc
