// Files of time zones: TZif, as in /usr/share/zoneinfo (RFC 8536).
#pragma once

#include "expr/zone.h"

#include <string>

namespace mrc {

// The zone in a file, up to the year 2262. A file that is not there is an error that says
// how zones are named.
Result<Zone> read_tzif(const std::string &path);
// The same from the bytes of such a file; `name` is for errors.
Result<Zone> parse_tzif(Bytes file, const std::string &name);

}  // namespace mrc
