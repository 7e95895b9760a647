// Reads files of time zones: TZif, as in /usr/share/zoneinfo (RFC 8536).
#pragma once

#include "expr/inner/zone.h"

#include <string>

namespace mrc {

// Reads the zone in a file, up to the year 2262. The error for a missing file says how zones are
// named.
Result<Zone> read_tzif(const std::string &path);
// Reads the zone from the bytes of a file; `name` is for errors.
Result<Zone> parse_tzif(Bytes file, const std::string &name);
// Appends the spans of a rule for all years after the last span, up to 2262. A rule is as in $TZ:
// CET-1CEST,M3.5.0,M10.5.0/3 (POSIX 8.3, with the extensions of RFC 8536). False, and nothing
// appended, if the text is not a rule. REQUIRES: there is a span
bool append_spans_of_rule(std::string_view rule, std::vector<ZoneSpan> *spans);

}  // namespace mrc
