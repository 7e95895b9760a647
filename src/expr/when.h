// Points in time as users say them for --since and --until.
#pragma once

#include "expr/time_text.h"

#include <string_view>

namespace mrc {

// Nanoseconds since 1970 of any time that parse_time() reads, or in relation to `now`: "now",
// "today", "yesterday", "14:00" of today, "yesterday 14:00", "-1h", "2 days ago". A day is 24
// hours, but today and yesterday begin at midnight of the zone.
Result<i64> parse_when(std::string_view text, const TimeContext &context, i64 now);

}  // namespace mrc
