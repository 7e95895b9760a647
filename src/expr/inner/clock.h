// The context in which times are read and written: a Clock (expr.h) with its zone looked up.
#pragma once

#include "expr/expr.h"
#include "kinds/time_text.h"

#include <string_view>

namespace mrc {

// Returns the field in the form in which users write it.
std::string written_field(const FieldName &field);

// REQUIRES: check_clock() is ok
TimeContext make_time_context(const Clock &clock);
// Makes the context of a field's values, whose dates may have an order of their own.
TimeContext make_time_context(const Clock &clock, const FieldExpr &field);

// Reads a point in time as users write it for --since and --until. Returns nanoseconds since 1970
// of any time that parse_time() reads, or of a time relative to `now`: "now", "today", "yesterday",
// "14:00" of today, "yesterday 14:00", "-1h", "2 days ago". A day is 24 hours, but today and
// yesterday begin at midnight in the zone.
Result<i64> parse_when(std::string_view text, const TimeContext &context, i64 now);

}  // namespace mrc
