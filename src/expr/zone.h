// Time zones: what wall clocks show at an instant, and when they show a given time.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <string_view>
#include <vector>

namespace mrc {

// From `begin` on, seconds since 1970 in UTC, wall clocks are `offset` seconds ahead of UTC.
struct ZoneSpan {
  i64 begin;
  i64 offset;
};

// Immutable. Times are seconds since 1970; local ones are those of a UTC clock that shows
// the same.
class Zone {
 public:
  // In order; the first one begins before all times.
  explicit Zone(std::vector<ZoneSpan> spans);

  // The span of time around an instant in which the offset stays the same.
  struct Around {
    i64 begin, end;
    i64 offset;
  };
  Around around(i64 utc) const;
  // The instant at which clocks show `local`. If they are put back and show it twice, the
  // first; if they are put forward and never show it, as if they had not been.
  i64 utc_of(i64 local) const;

  bool is_utc() const { return spans_.size() == 1 && spans_[0].offset == 0; }

 private:
  std::vector<ZoneSpan> spans_;
  std::vector<i64> local_begins_;  // from when on clocks show what is of the span only
};

// "" and "UTC", "+02:00", "Europe/Berlin" of the system's zoneinfo ($TZDIR), "local" for
// what is set on the machine ($TZ). Zones are read once and live as long as the process.
// Thread safe.
Result<const Zone *> find_zone(std::string_view name);

// "+02:00", seconds only if there are any.
void append_offset(i64 seconds, std::string *out);

}  // namespace mrc
