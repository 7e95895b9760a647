// A time is a timestamp (timestamp.h) in the zone and year of the clock, or a number.
#include "kinds/time_text.h"

#include "base/number.h"
#include "base/text.h"
#include "kinds/timestamp_reader.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace mrc {
namespace {

const i64 kFirstDay = *days_since_1970(1678, 1, 1), kLastDay = *days_since_1970(2261, 12, 31);

// Returns local seconds since 1970. A time without a year is less than a year old.
std::optional<i64> local_time(const Timestamp &time, const TimeContext &context) {
  if (time.has_year) [[likely]]
    return time.local;
  const i64 year = context.year_of_now - (time.month > context.month_of_now);
  const std::optional<i64> day = days_since_1970(year, time.month, time.day);
  if (!day) return std::nullopt;
  return *day * kDay + time.local;
}

std::optional<i64> instant(const Timestamp &time, const TimeContext &context) {
  const std::optional<i64> local = local_time(time, context);
  const Zone *zone = time.zone == Timestamp::Zone::name ? last_zone(time.zone_name) : context.zone;
  if (!local || zone == nullptr) return std::nullopt;
  const i64 utc = time.zone == Timestamp::Zone::offset ? *local - time.offset
                  : zone->is_utc()                     ? *local
                                                       : zone->utc_of(*local);
  return utc * kSecond + time.nanosecond;
}

// Reads 2015-09-13T06:25:10Z, as most programs write a time in UTC, without looking for other
// shapes and zones.
std::optional<i64> read_usual(Bytes text) {
  if (text.size() != 20 || text[19] != 'Z') return std::nullopt;
  TimestampReader reader(text);
  i64 y = 0, m = 0, d = 0;
  const bool is_usual = reader.digits(4, &y) && reader.take('-') && reader.two(&m) &&
                        reader.take('-') && reader.two(&d) && reader.take('T') &&
                        reader.day_of(y, m, d) && reader.clock();
  if (!is_usual) return std::nullopt;
  return reader.taken(TimeShape::year_first).local * kSecond;
}

// Reads dates such as 20261103.
std::optional<i64> read_digits_of_date(Bytes text) {
  i64 digits = 0;
  if (text.size() != 8 || !is_digits(text)) return std::nullopt;
  for (const char c : text) digits = digits * 10 + (c - '0');
  const i64 year = digits / 10000;
  if (year < 1900 || year > 2199) return std::nullopt;
  return days_since_1970(year, digits / 100 % 100, digits % 100);
}

// Reads seconds, milli-, micro- or nanoseconds since 1970 by the number of digits: 10, 13, 16 or
// 19. With a fraction, seconds have up to 11 digits, because 12 digits of milliseconds began in
// 1973.
std::optional<i64> read_number(Bytes text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const size_t size = std::min(text.find('.'), text.size());
  if (size == 0 || size > 19) return std::nullopt;
  // Without a fraction, other numbers of digits are not times.
  const bool is_instant = size == 10 || size == 13 || size == 16 || size == 19;
  if (size == text.size() && !is_instant) return std::nullopt;
  __int128 value = 0;  // in units of 10^-9 of the number's unit
  i64 unit = kSecond;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == size) continue;
    if (!is_digit(text[i])) return std::nullopt;
    if (i < size) {
      value = value * 10 + (text[i] - '0') * kSecond;
    } else {
      unit /= 10;
      value += (text[i] - '0') * unit;
    }
  }
  if (size + 1 == text.size()) return std::nullopt;  // a point and nothing after it
  const __int128 whole = value / kSecond;
  constexpr i64 kMostSeconds = 100'000'000'000;
  for (__int128 limit = kMostSeconds, divisor = 1; whole >= limit && divisor < kSecond;
       limit *= 1000) {
    divisor *= 1000;
    value = value / 1000;
  }
  if (negative) value = -value;
  if (value < static_cast<__int128>(kFirstDay) * kDay * kSecond ||
      value >= static_cast<__int128>(kLastDay + 1) * kDay * kSecond) {
    return std::nullopt;
  }
  return static_cast<i64>(value);
}

// Removes surrounding blanks, then brackets, and blanks within them.
Bytes bare(Bytes text) {
  text = without_spaces_around(text);
  if (!text.starts_with('[')) return text;
  text.remove_prefix(1);
  if (text.ends_with(']')) text.remove_suffix(1);
  return without_spaces_around(text);
}

// The last time that a thread has read: a log has many records of the same second. Where times
// differ, it is looked at more and more seldom.
struct LastTime {
  static constexpr i64 kMostMisses = 100;
  static constexpr i64 kFewMisses = 32;

  std::array<char, 40> text;
  size_t size = SIZE_MAX;  // of the text
  TimeContext context{};
  i64 time = 0;
  i64 misses = 0;  // since it was last asked for, but not more than kMostMisses
  i64 rest = 0;    // number of times that are not looked for

  bool rests() { return rest > 0 && rest-- > 0; }
  void miss() {
    misses = std::min(misses + 1, kMostMisses);
    rest = misses < kFewMisses ? 0 : misses;
  }
  bool is_of(Bytes other, const TimeContext &where) const {
    return other.size() == size && std::memcmp(other.data(), text.data(), size) == 0 &&
           where == context;
  }
  void keep(Bytes read, const TimeContext &where, i64 instant) {
    if (read.size() > text.size()) return;
    std::ranges::copy(read, text.begin());
    size = read.size();
    context = where;
    time = instant;
  }
};
thread_local LastTime last_time;

}  // namespace

std::optional<i64> read_time(Bytes text, const TimeContext &context) {
  TimeNeeds needs;
  LastTime &last = last_time;
  if (last.rests()) return read_time(text, context, &needs);
  if (last.is_of(text, context)) {
    last.misses = 0;
    return last.time;
  }
  last.miss();
  const std::optional<i64> time = read_time(text, context, &needs);
  if (time) last.keep(text, context, *time);
  return time;
}

std::optional<i64> read_time(Bytes text, const TimeContext &context, TimeNeeds *needs) {
  text = bare(text);
  if (const std::optional<i64> time = read_usual(text)) return time;
  if (const std::optional<Timestamp> time = read_timestamp(text, context.dates)) {
    needs->zone |= time->zone == Timestamp::Zone::unsaid;
    needs->year |= !time->has_year;
    return instant(*time, context);
  }
  if (const std::optional<i64> day = read_digits_of_date(text)) {
    needs->zone = true;
    return context.zone->utc_of(*day * kDay) * kSecond;
  }
  return read_number(text);
}

i64 midnight(i64 now, i64 days_ago, const TimeContext &context) {
  const i64 utc = floor_divide(now, kSecond);
  const i64 today = floor_divide(utc + context.zone->around(utc).offset, kDay);
  return (today - days_ago) * kDay;
}

std::string utc_text(i64 time) {
  const time_t second = floor_divide(time, kSecond);
  struct tm date;
  gmtime_r(&second, &date);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z", date, time - i64{second} * kSecond);
}

void append_time(i64 time, const TimeContext &context, std::string *out) {
  const i64 second = floor_divide(time, kSecond), rest = time - second * kSecond;
  const i64 offset = context.zone->around(second).offset;
  const time_t local = second + offset;
  struct tm date;
  gmtime_r(&local, &date);
  fmt::format_to(std::back_inserter(*out), "{:%Y-%m-%dT%H:%M:%S}", date);
  if (rest != 0) {
    fmt::format_to(std::back_inserter(*out), ".{:09}", rest);
    out->erase(out->find_last_not_of('0') + 1);
  }
  context.zone->is_utc() ? out->push_back('Z') : append_offset(offset, out);
}

bool says_zone(std::string_view time) {
  const std::optional<Timestamp> read = read_timestamp(time);
  if (read) return read->zone != Timestamp::Zone::unsaid;
  const std::string_view relative[] = {"today", "yesterday"};
  const bool is_day =
      std::ranges::any_of(relative, [time](auto day) { return time.starts_with(day); });
  return !is_day && time.find_first_of(":/") == time.npos;  // 14:00, 25/11/2026
}

}  // namespace mrc
