// Times as logs write them. What users may write is in expr.h, at parse_time().
#pragma once

#include "expr/expr.h"
#include "expr/zone.h"

#include <array>

namespace mrc {

// A Clock with its zone looked up.
struct TimeContext {
  const Zone *zone;
  i64 year_of_now = 0;
  i64 month_of_now = 0;
  DateOrder dates = DateOrder::unknown;
};
Result<TimeContext> make_time_context(const Clock &clock);
// The context of a field's values, whose dates may have an order of their own.
Result<TimeContext> make_time_context(const Clock &clock, const FieldExpr &field);

// parse_time() for many values; reads no byte past the text.
std::optional<i64> read_time(Bytes text, const TimeContext &context);

// True if the text is an instant whatever the zone of the clock is: it has a zone, or counts
// seconds since 1970. `now` is one, too.
bool says_zone(std::string_view time);

// Appends 2026-11-03T10:00:00.5Z, or with the offset of the zone, with as few decimal places as it
// takes.
void append_time(i64 time, const TimeContext &context, std::string *out);

inline constexpr i64 kSecond = 1'000'000'000;  // in nanoseconds

}  // namespace mrc
