// Reading times. A time is a date, a clock and a zone, in one of a few orders that its first
// bytes tell apart; each part has one reader, and each order is a line or two of them.
//
// Nearly all records of a log are of the same day as the one before, so each thread keeps
// the last date it has read as bytes and compares before it reads again. Clocks of eight
// bytes are read as a word.
#include "expr/time_text.h"

#include "base/number.h"
#include "base/text.h"

#include <chrono>

namespace mrc {
namespace {

using namespace std::chrono;

constexpr i64 kFirstYear = 1678, kLastYear = 2261;  // what fits in 64 bits of nanoseconds
constexpr i64 kDay = 86400;                         // in seconds

constexpr i64 days_of(i64 y, i64 m, i64 d) {
  const sys_days date = year(static_cast<int>(y)) / static_cast<int>(m) / static_cast<int>(d);
  return date.time_since_epoch().count();
}
constexpr i64 kFirstDay = days_of(kFirstYear, 1, 1), kEndDay = days_of(kLastYear + 1, 1, 1);

// Of three letters in any case; 0 if there is no such month or weekday.
u32 letters(const char *p) {
  return static_cast<u32>(static_cast<u8>(p[0]) | 0x20) << 16 |
         static_cast<u32>(static_cast<u8>(p[1]) | 0x20) << 8 |
         static_cast<u32>(static_cast<u8>(p[2]) | 0x20);
}
i64 index_of(const char *three, const char *names) {
  const u32 wanted = letters(three);
  for (i64 i = 0; names[i * 3] != '\0'; ++i) {
    if (letters(names + i * 3) == wanted) return i + 1;
  }
  return 0;
}
i64 month_of(const char *three) { return index_of(three, "janfebmaraprmayjunjulaugsepoctnovdec"); }
bool is_weekday(const char *three) { return index_of(three, "montuewedthufrisatsun") != 0; }

// The last date that this thread has read, 11 or 10 bytes long.
struct DateMemo {
  u64 front = 0;
  u32 back = 0;
  i64 day = 0;
};
thread_local DateMemo last_date;

// Takes the parts of a time off its front; false if they are not there or out of range.
class TimeReader {
 public:
  TimeReader(Bytes text, const TimeContext &context)
      : at_(text.data()), end_(text.data() + text.size()), context_(context) {}

  i64 left() const { return end_ - at_; }
  char at(i64 i) const { return i < left() ? at_[i] : '\0'; }
  bool take(char c) {
    if (at(0) != c) return false;
    ++at_;
    return true;
  }
  bool take_blanks() {
    if (at(0) != ' ') return false;
    while (at(0) == ' ') ++at_;
    return true;
  }

  bool day_of(i64 y, i64 m, i64 d) {
    const auto date = year(static_cast<int>(y)) / static_cast<int>(m) / static_cast<int>(d);
    day_ = sys_days(date).time_since_epoch().count();
    return y >= kFirstYear && y <= kLastYear && date.ok();
  }

  bool two(i64 *value) { return digits(2, value); }
  bool digits(i64 count, i64 *value) {
    if (left() < count) return false;
    *value = 0;
    for (i64 i = 0; i < count; ++i) {
      if (!is_digit(at_[i])) return false;
      *value = *value * 10 + (at_[i] - '0');
    }
    at_ += count;
    return true;
  }
  // One digit or two, as in "Jun  4".
  bool day_of_month(i64 *value) { return is_digit(at(1)) ? two(value) : digits(1, value); }
  bool month_name(i64 *value) {
    if (left() < 3 || (*value = month_of(at_)) == 0) return false;
    at_ += 3;
    return true;
  }

  // A date of this many bytes, by `read` unless it is that of the record before.
  template <typename Read>
  bool date(i64 bytes, Read read) {
    if (left() < bytes) return false;
    DateMemo seen;
    std::memcpy(&seen.front, at_, sizeof seen.front);
    std::memcpy(&seen.back, at_ + bytes - 4, sizeof seen.back);
    if (seen.front == last_date.front && seen.back == last_date.back) [[likely]] {
      day_ = last_date.day;
      at_ += bytes;
      return true;
    }
    if (!read()) return false;
    seen.day = day_;
    last_date = seen;
    return true;
  }
  // 2015-09-13 or 2015/09/13
  bool iso_date() {
    return date(10, [this] {
      i64 y = 0, m = 0, d = 0;
      const char separator = at(4);
      return digits(4, &y) && take(separator) && two(&m) && take(separator) && two(&d) &&
             day_of(y, m, d);
    });
  }
  // 13/Sep/2015
  bool log_date() {
    return date(11, [this] {
      i64 y = 0, m = 0, d = 0;
      return two(&d) && take('/') && month_name(&m) && take('/') && digits(4, &y) &&
             day_of(y, m, d);
    });
  }

  // 06:25:10; a leap second is the first one of the next minute.
  bool clock() {
    if (left() < 8) return false;
    constexpr u64 kColons = u64{0x0A} << 16 | u64{0x0A} << 40;  // as load_digits() shows them
    constexpr u64 kColonBytes = u64{0xFF} << 16 | u64{0xFF} << 40;
    u64 word = number_words::load_digits(at_);
    if ((word & kColonBytes) != kColons) return false;
    word &= ~kColonBytes;
    if (number_words::other_bytes(word) != 0) return false;
    word = word * 10 + (word >> 8);
    const auto h = static_cast<u8>(word), m = static_cast<u8>(word >> 24),
               s = static_cast<u8>(word >> 48);
    if (h > 23 || m > 59 || s > 60) return false;
    second_ = h * 3600 + m * 60 + s;
    at_ += 8;
    return true;
  }
  // The same, or without seconds, or without anything between: 06:25 or 062510.
  bool short_clock() {
    if (clock()) return true;
    i64 h = 0, m = 0, s = 0;
    if (!two(&h)) return false;
    const bool colon = take(':');
    if (!two(&m) || (!colon && !two(&s)) || h > 23 || m > 59 || s > 60) return false;
    second_ = h * 3600 + m * 60 + s;
    return true;
  }
  // Nothing, or a point or comma and digits, cut off after nanoseconds.
  bool fraction() {
    if (at(0) != '.' && at(0) != ',') return true;
    ++at_;
    if (!is_digit(at(0))) return false;
    for (i64 unit = kSecond / 10; is_digit(at(0)); ++at_, unit /= 10) {
      nanosecond_ += unit * (*at_ - '0');
    }
    return true;
  }
  // Nothing, or Z, UTC, GMT or an offset, after a blank or not.
  bool zone() {
    if (left() == 0) return true;
    take(' ');
    const Bytes text(at_, static_cast<size_t>(left()));
    const bool utc = text == "Z" || text == "z" || text == "UTC" || text == "GMT";
    if (!utc && !read_offset(text)) return false;
    has_offset_ = true;
    at_ = end_;
    return true;
  }
  // +0000, as nearly all logs have it, without a detour.
  bool read_offset(Bytes text) {
    if (text == "+0000") return true;
    return parse_offset(text, &offset_);
  }

  std::optional<i64> value() const {
    if (left() != 0) return std::nullopt;
    const i64 local = day_ * kDay + second_;
    const i64 utc = has_offset_               ? local - offset_
                    : context_.zone->is_utc() ? local
                                              : context_.zone->utc_of(local);
    return utc * kSecond + nanosecond_;
  }

  // 2015-09-13[T06:25[:10[.123]]][zone], 2015-09, 20150913T062510Z
  bool iso() {
    if (left() == 7) {
      i64 y = 0, m = 0;
      return digits(4, &y) && take('-') && two(&m) && day_of(y, m, 1);
    }
    if (at(8) == 'T') {
      i64 y = 0, m = 0, d = 0;
      if (!digits(4, &y) || !two(&m) || !two(&d) || !day_of(y, m, d)) return false;
    } else if (!iso_date()) {
      return false;
    }
    if (left() == 0) return true;
    if (!take('T') && !take(' ') && !take('t')) return false;
    return short_clock() && fraction() && zone();
  }
  // 13/Sep/2015:06:25:10 +0000
  bool log_time() {
    return log_date() && (take(':') || take(' ')) && clock() && fraction() && zone();
  }
  // [Sun, ]04 Dec 2005 04:47:44 GMT
  bool mail_time() {
    i64 y = 0, m = 0, d = 0;
    return day_of_month(&d) && take(' ') && month_name(&m) && take(' ') && digits(4, &y) &&
           take(' ') && day_of(y, m, d) && clock() && zone();
  }
  // Dec  4 04:47:44, with a year after the day, or at the end (and a zone before it)
  bool month_first() {
    i64 y = 0, m = 0, d = 0;
    if (!month_name(&m) || !take_blanks() || !day_of_month(&d) || !take_blanks()) return false;
    if (at(2) != ':' && (!digits(4, &y) || !take_blanks())) return false;
    if (!clock() || !fraction()) return false;
    if (y != 0) return day_of(y, m, d) && zone();
    if (left() == 0) return day_of(year_of(m), m, d);
    for (Bytes utc : {" UTC", " GMT"}) {
      if (!Bytes(at_, static_cast<size_t>(left())).starts_with(utc)) continue;
      at_ += utc.size();
      has_offset_ = true;
    }
    return take(' ') && digits(4, &y) && day_of(y, m, d);
  }
  bool weekday_first() {
    if (left() < 5 || !is_weekday(at_)) return false;
    at_ += 3;
    if (take(',')) return take(' ') && mail_time();
    return take_blanks() && month_first();
  }

 private:
  // Logs without years are less than a year old.
  i64 year_of(i64 m) const { return context_.year_of_now - (m > context_.month_of_now); }

  const char *at_;
  const char *end_;
  const TimeContext &context_;
  i64 day_ = 0;  // since 1970, as are all of these together
  i64 second_ = 0;
  i64 nanosecond_ = 0;
  bool has_offset_ = false;
  i64 offset_ = 0;
};

// Seconds, milli-, micro- or nanoseconds since 1970, with a fraction or not. Seconds have
// up to 11 digits; 12 digits of milliseconds began in 1973.
std::optional<i64> read_number(Bytes text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const size_t size = std::min(text.find('.'), text.size());
  if (size == 0 || size > 19) return std::nullopt;
  __int128 value = 0;  // in the unit times 10^9
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
      value >= static_cast<__int128>(kEndDay) * kDay * kSecond) {
    return std::nullopt;
  }
  return static_cast<i64>(value);
}

// Without blanks around it, and without brackets around that.
Bytes bare(Bytes text) {
  text = without_spaces_around(text);
  if (text.starts_with('[')) {
    text.remove_prefix(1);
    if (text.ends_with(']')) text.remove_suffix(1);
  }
  return text;
}

}  // namespace

std::optional<i64> read_time(Bytes text, const TimeContext &context) {
  text = bare(text);
  if (text.empty()) return std::nullopt;
  TimeReader reader(text, context);
  const char first = text[0];
  bool good = false;
  if (is_digit(first)) {
    if (reader.at(2) == '/') {
      good = reader.log_time();
    } else if (reader.at(4) == '-' || reader.at(4) == '/' || reader.at(8) == 'T') {
      good = reader.iso();
    } else if (reader.at(1) == ' ' || reader.at(2) == ' ') {
      good = reader.mail_time();
    } else {
      return read_number(text);
    }
  } else if (first == '-' || first == '+') {
    return read_number(text);
  } else {
    good = reader.left() >= 4 && is_weekday(text.data()) ? reader.weekday_first()
                                                         : reader.month_first();
  }
  return good ? reader.value() : std::nullopt;
}

Result<TimeContext> make_time_context(const Clock &clock) {
  const Result<const Zone *> zone = find_zone(clock.zone);
  if (!zone.is_ok()) return zone.status();
  return TimeContext{*zone, clock.year_of_now, clock.month_of_now};
}

Status check_clock(const Clock &clock) { return make_time_context(clock).status(); }

std::optional<i64> parse_time(Bytes text, const Clock &clock) {
  // Looked up once in a row of times with the same clock.
  thread_local std::string last_name;
  thread_local const Zone *last_zone = nullptr;
  if (last_zone == nullptr || clock.zone != last_name) {
    const Result<const Zone *> zone = find_zone(clock.zone);
    if (!zone.is_ok()) return std::nullopt;
    last_name = clock.zone;
    last_zone = *zone;
  }
  return read_time(text, {last_zone, clock.year_of_now, clock.month_of_now});
}

}  // namespace mrc
