// Reads and writes times as logs have them. TIMES in mrc-expressions(7) lists the forms.
#pragma once

#include "expr/expr.h"
#include "expr/inner/zone.h"

#include <string_view>

namespace mrc {

// A Clock with its zone looked up. REQUIRES: check_clock() is ok
struct TimeContext {
  const Zone *zone;
  i64 year_of_now = 0;
  i64 month_of_now = 0;
  DateOrder dates = DateOrder::unknown;
};
TimeContext make_time_context(const Clock &clock);
// Makes the context of a field's values, whose dates may have an order of their own.
TimeContext make_time_context(const Clock &clock, const FieldExpr &field);

// Does what parse_time() does, for many values; reads no byte past the text.
std::optional<i64> read_time(Bytes text, const TimeContext &context);

// Reads a point in time as users write it for --since and --until. Returns nanoseconds since 1970
// of any time that parse_time() reads, or of a time relative to `now`: "now", "today", "yesterday",
// "14:00" of today, "yesterday 14:00", "-1h", "2 days ago". A day is 24 hours, but today and
// yesterday begin at midnight in the zone.
Result<i64> parse_when(std::string_view text, const TimeContext &context, i64 now);

// True if the text is the same instant in every zone: it has a zone, or counts seconds since 1970,
// or is `now`.
bool says_zone(std::string_view time);

// Returns the local seconds since 1970 at midnight, so many days before the day of `now`.
i64 midnight(i64 now, i64 days_ago, const TimeContext &context);
// Returns a time as 2026-11-03T10:00:00.500000000Z.
std::string utc_text(i64 time);
// Appends 2026-11-03T10:00:00.5Z, or with the offset of the zone, with as few decimal places as
// possible.
void append_time(i64 time, const TimeContext &context, std::string *out);

inline constexpr i64 kSecond = 1'000'000'000;  // in nanoseconds
inline constexpr i64 kDay = 86400;             // in seconds

}  // namespace mrc
