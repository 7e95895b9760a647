// Timestamps as programs write them, at the beginning of any text: the size, the shape, and the
// time that the clock shows. expr/, which has zones and years, converts them to UTC.
#pragma once

#include "base/int.h"

#include <optional>

namespace mrc {

// The order of the parts of a timestamp. After the clock there may be a fraction after a point, a
// comma or a colon, AM or PM, and a zone.
enum class TimeShape : u8 {
  none,
  year_first,       // 2015-09-13T06:25:10.123+02:00 2015/09/13 06:25:10 2015.09.13-06.25.10
  compact,          // 20150913T062510Z 20150913-06:25:10:123
  short_year,       // 15/09/13 06:25:10 15-09-13 06:25:10
  short_compact,    // 150913 062510 150913  6:25:10
  day_month_name,   // 13/Sep/2015:06:25:10 +0000 13-Sep-2015 06:25:10 13 Sep 2015 06:25:10
  year_month_name,  // 2015-Sep-13 06:25:10 2015 Sep 13 06:25:10
  month_name,       // Sep 13 06:25:10 Sep 13, 2015 6:25:10 AM Sep-13-15 06:25:10
  weekday,          // Sun Sep 13 06:25:10 2015 Sun, 13 Sep 2015 06:25:10 GMT
  month_day_year,   // 09/13/2015-06:25:10 9/13/2015 6:25:10 AM 9/13/15 6:25:10:123 CEST 09-13-2015
  day_month_year,   // 13.09.2015 06:25:10
  slashed_day_first,  // 13/09/2015 06:25:10 13-09-2015; month_day_year if the order may be either
  month_day,          // 09-13 06:25:10.123 09.13 06:25:10 09/13-06:25:10.123 09-13|06:25:10.123
  joined_month_day,   // 0913 06:25:10.123456
  epoch,              // 1442125510 with a fraction or not, and in milli-, micro-, nanoseconds
  tai64n,             // @4000000055f516d0075bca0c
  uptime,             // 12345.678901 before a closing bracket: seconds since the machine started
  clock,              // 06:25:10.123 or 6:25AM, without a day
};

// True if the shape has a day in digits or words, which few other texts look like.
constexpr bool has_date(TimeShape shape) {
  return shape != TimeShape::none && shape != TimeShape::epoch && shape != TimeShape::uptime &&
         shape != TimeShape::clock;
}

// The order of day and month in dates of numbers with slashes or dashes that do not begin with the
// year: it decides if 03/11/2026 is in November or in March.
enum class DateOrder : u8 {
  unknown,  // no such dates are known
  day_first,
  month_first,
  unsettled,  // there are some, and all may be read in either order
};
constexpr bool is_settled(DateOrder order) {
  return order == DateOrder::day_first || order == DateOrder::month_first;
}

// How a program writes its times. Two forms of one shape differ in what is between the numbers of
// the date, as in 2015-09-13 and 2015/09/13, and between date and clock. If the order of the
// numbers is open, the form tells only whether dashes are between them.
struct TimeForm {
  TimeShape shape = TimeShape::none;
  char mark = '\0', joint = '\0';
  auto operator<=>(const TimeForm &) const = default;
};

// A timestamp that was found.
struct Timestamp {
  enum class Zone : u8 { unsaid, offset, name };

  TimeShape shape = TimeShape::none;
  Zone zone = Zone::unsaid;
  bool has_year = true;
  u8 month = 0, day = 0;  // if there is no year
  i64 size = 0;           // in bytes
  i64 local = 0;          // time of the clock, in seconds since 1970; without year: of the day
  i64 nanosecond = 0;
  i64 offset = 0;        // offset of the zone, in seconds
  Bytes zone_name = {};  // such as Europe/Berlin; borrowed from the text
};

// Returns the form of a timestamp at the beginning of this text. If it may be of two shapes, the
// form is that of the first.
TimeForm form_of(Bytes text, const Timestamp &time);

// Returns the timestamp with which the text begins, if a word ends where it ends. A zone of letters
// is one of zone_names.h. Reads no byte past the text. For `epoch`, `uptime` and `clock`, only the
// size is meaningful.
Timestamp find_timestamp(Bytes text);

// The year that may follow the clock of a time without one, as in "Sep 13 06:25:10 2015". Other
// programs write the number of a process there, so find_timestamp() takes no such year.
struct YearAfterClock {
  i64 year = 0;  // 0: none follows
  i64 size = 0;  // of all, from the beginning of the time on
};
// Returns the year that may follow the timestamp with which the text begins. It is within 1970 to
// 2099.
YearAfterClock year_after_clock(Bytes text, const Timestamp &time);
// Returns the size of a timestamp that has a year, which may follow the clock; 0 if there is none.
i64 dated_size(Bytes text);

// Reads all of the text as a timestamp, which may lack a clock and more (2015-09-13, 2015-09,
// 13.09.2015). Epochs, uptimes and clocks are not accepted. 03/11/2026 and 03-11-2026 are accepted
// only if the order is settled. Then the last of three numbers with slashes is the year, unless the
// first has four digits. The order of 09/13/2015-06:25:10 is known.
std::optional<Timestamp> read_timestamp(Bytes text, DateOrder order = DateOrder::unknown);

// Returns the days since 1970; nothing if there is no such date, or the year is not within 1678 to
// 2261, where nanoseconds fit in 64 bits.
std::optional<i64> days_since_1970(i64 year, i64 month, i64 day);

}  // namespace mrc
