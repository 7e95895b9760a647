// Rules of time zones for all years, as in $TZ: CET-1CEST,M3.5.0,M10.5.0/3 (POSIX 8.3,
// with the extensions of RFC 8536).
#pragma once

#include "expr/zone.h"

#include <vector>

namespace mrc {

// Appends what the rule says of the time after the last span, up to 2262. False, and
// nothing appended, if it is no rule. REQUIRES: there is a span.
bool append_spans_of_rule(std::string_view rule, std::vector<ZoneSpan> *spans);

}  // namespace mrc
