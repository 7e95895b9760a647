// Reads and writes times as logs have them. TIMES in mrc-expressions(7) lists the forms.
#pragma once

#include "kinds/inner/zone.h"
#include "kinds/timestamp.h"

#include <optional>
#include <string>
#include <string_view>

namespace mrc {

// The zone and the date that the text of a time may leave open.
struct TimeContext {
  const Zone *zone;  // of find_zone(): its address stands for it
  i64 year_of_now = 0;
  i64 month_of_now = 0;
  DateOrder dates = DateOrder::unknown;

  bool operator==(const TimeContext &) const = default;
};
// Parts of the context that the time of a text depends on.
struct TimeNeeds {
  bool zone = false, year = false;
};
// Returns nanoseconds since 1970 in UTC; nullopt if the text is not a time, or not in the years
// 1678 to 2261. Blanks or brackets may surround it. Reads no byte past the text.
std::optional<i64> read_time(Bytes text, const TimeContext &context);
// Also adds what the time depends on to *needs.
std::optional<i64> read_time(Bytes text, const TimeContext &context, TimeNeeds *needs);

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
