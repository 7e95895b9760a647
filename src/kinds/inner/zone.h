// Time zones: the local time at an instant, and the instant of a local time.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// From `begin` on, seconds since 1970 in UTC, wall clocks are `offset` seconds ahead of UTC.
struct ZoneSpan {
  i64 begin;
  i64 offset;
};

// Immutable. Times are seconds since 1970. A local time is the time at which a UTC clock shows the
// same.
class Zone {
 public:
  // REQUIRES: `spans` are in order; the first one begins before all times
  explicit Zone(const std::vector<ZoneSpan> &spans);

  // A span of time around an instant in which the offset does not change.
  struct Around {
    i64 begin, end;
    i64 offset;
  };
  Around around(i64 utc) const;
  // Returns the instant at which clocks show `local`. If clocks show it twice, the first instant.
  // If they never show it, the instant as if they had not been put forward.
  i64 utc_of(i64 local) const;

  bool is_utc() const { return spans_.size() == 1 && spans_[0].offset == 0; }

 private:
  std::vector<ZoneSpan> spans_;    // neighbours have different offsets
  std::vector<i64> local_begins_;  // when clocks begin to show times of this span only
};

// Finds "" and "UTC", "+02:00", "Europe/Berlin" of the system's zoneinfo ($TZDIR), or "local" for
// the machine's zone ($TZ). Zones are read once and live as long as the process. Thread safe.
Result<const Zone *> find_zone(std::string_view name);
// Returns the zone, or null if there is none. Remembers the last one of each thread, because the
// times of an input mostly have one zone.
const Zone *last_zone(Bytes name);

// Appends "+02:00", with seconds only if there are any.
void append_offset(i64 seconds, std::string *out);

}  // namespace mrc
