// Readers for the parts of timestamps: a date, a clock and a zone. For the orders of parts see
// timestamp.cc.
//
// Nearly all records of a log have the same day as the record before. So each thread keeps the
// bytes of the last date, and compares them before it parses a date. Clocks of eight bytes are read
// as a word.
#pragma once

#include "base/number.h"
#include "base/text.h"
#include "kinds/timestamp.h"
#include "kinds/zone_names.h"

#include <array>
#include <cstring>

namespace mrc {

// Returns the size of find_timestamp(text), 0 if there is none. Each thread tries the last shape
// first, which is faster in a log.
i64 timestamp_size(Bytes text);
// Returns the size of the timestamp of this form with which the text begins; 0 if there is none.
i64 timestamp_size(Bytes text, const TimeForm &form);

// The last date that this thread has read: its first eight bytes, its last four, and its day.
struct DateMemo {
  u64 front = 0;
  u32 back = 0;
  i64 day = 0;
};
extern thread_local DateMemo last_date;

// Month or weekday of three letters in any case. Months count from 1; 0 if there is none.
i64 month_of(const char *three);
bool is_weekday(const char *three);

// The name of a month with which a text begins, in English, German or French, in full or short,
// with the point after a short one: Nov, November, nov., Mär, févr. The number is 0 if there is
// none. Names that mean different months in these languages do not exist.
struct MonthName {
  i64 number = 0, size = 0;
};
MonthName find_month(Bytes text);
// Returns the size of the name of a weekday, in the same languages and forms; 0 if there is none.
i64 weekday_size(Bytes text);

// The shapes that a text may have, in the order in which they are tried.
using Guesses = std::array<TimeShape, 3>;
Guesses guesses(Bytes text, DateOrder order);

// Takes parts from the front of a text. Each function returns false if its part is missing or out
// of range, and may have taken bytes then.
class TimestampReader {
 public:
  static constexpr i64 kNanoseconds = 1'000'000'000;

  explicit TimestampReader(Bytes text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  i64 left() const { return end_ - at_; }
  i64 size() const { return at_ - begin_; }
  char at(i64 i) const { return i < left() ? at_[i] : '\0'; }
  bool digit_at(i64 i) const { return is_digit(at(i)); }
  Bytes rest() const { return {at_, static_cast<size_t>(left())}; }
  void skip(i64 bytes) { at_ += bytes; }
  // Takes what `read` takes if it returns true, else nothing.
  template <typename Read>
  bool either(Read read) {
    const char *from = at_;
    if (read()) return true;
    at_ = from;
    return false;
  }
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
  // Takes one digit or two, as in "Jun  4".
  bool one_or_two(i64 *value) { return digit_at(1) ? two(value) : digits(1, value); }
  bool month_name(i64 *value) {
    if (left() < 3 || (*value = month_of(at_)) == 0) return false;
    at_ += 3;
    return true;
  }
  // Takes the name of a month as find_month() finds it. Nearly all have three letters.
  bool any_month_name(i64 *value) {
    const char next = at(3);
    const bool may_go_on = is_letter(next) || next == '.' || static_cast<u8>(next) >= 0x80;
    return (!may_go_on && month_name(value)) || other_month_name(value);
  }
  // Two digits are a year of this century, or of the last one from 70 on.
  bool year_of_two(i64 *value) {
    if (!two(value)) return false;
    *value += *value < 70 ? 2000 : 1900;
    return true;
  }

  bool day_of(i64 y, i64 m, i64 d) {
    const std::optional<i64> day = days_since_1970(y, m, d);
    day_ = day.value_or(0);
    return day.has_value();
  }
  // Sets a date without a year.
  bool day_of_some_year(i64 m, i64 d) {
    constexpr i64 kLeapYear = 2000;
    month_ = static_cast<u8>(m);
    day_of_month_ = static_cast<u8>(d);
    return day_of(kLeapYear, m, d);
  }

  // Reads a date of this many bytes by `read`, unless it equals the last one.
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

  // Reads 06:25:10. A leap second is the first second of the next minute.
  bool clock() {
    if (left() < 8) return false;
    constexpr u64 kColons = u64{0x0A} << 16 | u64{0x0A} << 40;  // as load_digits() shows them
    constexpr u64 kColonBytes = u64{0xFF} << 16 | u64{0xFF} << 40;
    u64 word = number_words::load_digits(at_);
    if ((word & kColonBytes) != kColons) return false;
    word &= ~kColonBytes;
    if (number_words::other_bytes(word) != 0) return false;
    word = word * 10 + (word >> 8);
    if (!set_clock(static_cast<u8>(word), static_cast<u8>(word >> 24), static_cast<u8>(word >> 48)))
      return false;
    at_ += 8;
    return true;
  }
  // Reads a clock that may lack leading digits: 5:13:11, 0:0:19.
  bool loose_clock() {
    return clock() || either([this] {
             i64 h = 0, m = 0, s = 0;
             return one_or_two(&h) && take(':') && one_or_two(&m) && take(':') && one_or_two(&s) &&
                    set_clock(h, m, s);
           });
  }
  bool set_clock(i64 h, i64 m, i64 s) {
    second_ = h * 3600 + m * 60 + s;
    return h <= 23 && m <= 59 && s <= 60;
  }
  // Reads a clock with points: 06.25.10.
  bool dotted_clock() {
    i64 h = 0, m = 0, s = 0;
    counts_minutes_ = true;
    return two(&h) && take('.') && two(&m) && take('.') && two(&s) && set_clock(h, m, s);
  }
  // Reads a clock without seconds, or without separators: 06:25 or 062510. A third part is an
  // error.
  bool short_clock() {
    i64 h = 0, m = 0, s = 0;
    if (!two(&h)) return false;
    const bool colon = take(':');
    return two(&m) && (colon ? !(at(0) == ':' && digit_at(1)) : two(&s)) && set_clock(h, m, s);
  }

  // Reads a fraction, if there is one: a point or comma and digits, cut off after nanoseconds; or,
  // rarely, a colon and milli- or microseconds: ":9" is 9 ms. Ten digits after a comma are another
  // field.
  void fraction() {
    const char c = at(0);
    if ((c != '.' && c != ',' && c != ':') || !digit_at(1)) return;
    if (c == ',' && digit_at(10) && rest().find_first_not_of("0123456789", 1) > 10) return;
    ++at_;
    if (c == ':') return counted_fraction();
    for (i64 unit = kNanoseconds / 10; digit_at(0); ++at_, unit /= 10) {
      nanosecond_ += unit * (*at_ - '0');
    }
  }
  // Reads AM or PM, if it is there, with or without a blank before it.
  void half_day() {
    const i64 blank = at(0) == ' ';
    const char half = static_cast<char>(at(blank) | 0x20);
    if ((at(blank + 1) | 0x20) != 'm' || (half != 'a' && half != 'p')) return;
    const i64 hour = second_ / 3600;
    if (!ends_word(blank + 2) || hour < 1 || hour > 12) return;
    second_ += ((half == 'p' ? 12 : 0) - (hour == 12 ? 12 : 0)) * 3600;
    at_ += blank + 2;
  }
  // Reads an offset, the name of a zone or both, if they are there, with or without a blank before
  // each. A name may be in brackets or parentheses. Other text is left alone. After a blank, +02 is
  // an offset only if nothing follows.
  void zone() {
    if (left() == 0) return;
    const i64 blank = at(0) == ' ';
    const char c = at(blank);
    if (c == '+' || c == '-') {
      if (offset(blank)) named_after_offset();
    } else if (is_letter(c)) {
      named_zone(blank);
    } else if (c == '[' || c == '(') {
      enclosed_zone(blank);
    }
  }

  // Skips what RFC 9557 allows after an offset: [Any/Zone], [u-ca=gregory]. The offset counts, and
  // a zone in it need not be known.
  [[gnu::cold]] void skip_suffixes() {
    while (zone_ == Timestamp::Zone::offset && at(0) == '[') {
      const size_t size = rest().find_first_of("[]", 1);
      if (size == Bytes::npos || size == 1 || rest()[size] != ']') return;
      skip(static_cast<i64>(size) + 1);
    }
  }

  // Reads the abbreviation of a zone and blanks after it, as in "PDT Apr 16 21:05:29".
  [[gnu::cold]] bool leading_zone() {
    i64 size = 0;
    while (size < 5 && is_letter(at(size))) ++size;
    if (size < 3 || at(size) != ' ') return false;
    const std::optional<i64> offset = offset_of_zone({at_, static_cast<size_t>(size)});
    if (!offset) return false;
    set_zone(Timestamp::Zone::offset, *offset, size);
    return take_blanks();
  }

  // True if a word ends here: no letter or digit follows, and no number after a sign.
  MRC_INLINE bool is_end() const { return at(0) == ' ' || is_odd_end(); }
  bool is_odd_end() const {
    const char c = at(0);
    if (c == ':' && size() > 0 && is_letter(at_[-1])) return true;  // after a zone
    const bool joins = c == '.' || c == ':' || c == '-' || c == '/' || c == '+';
    return !is_word(c) && !(joins && digit_at(1));
  }
  static bool is_word(char c) { return is_digit(c) || is_letter(c) || c == '_'; }

  // True if the byte at `i` may follow a word of letters. Bytes that names contain may not.
  bool ends_word(i64 i) const {
    return i >= left() || Bytes(" \t\r\n])>}:,;|\"'").find(at_[i]) != Bytes::npos;
  }

  // The month of a date of some year; 0: the date has a year.
  i64 month() const { return month_; }
  void drop_year() { has_year_ = false; }
  // Takes the year of a date of some year.
  bool later_year() {
    i64 y = 0;
    has_year_ = digits(4, &y) && day_of(y, month_, day_of_month_);
    return has_year_;
  }
  // Sets a time in UTC.
  void set_instant(i64 seconds, i64 nanoseconds) {
    second_ = seconds;
    nanosecond_ = nanoseconds;
    zone_ = Timestamp::Zone::offset;
  }
  Timestamp taken(TimeShape shape) const {
    return {.shape = shape,
            .zone = zone_,
            .has_year = has_year_,
            .month = month_,
            .day = day_of_month_,
            .size = size(),
            .local = (has_year_ ? day_ * kDay : 0) + second_,
            .nanosecond = nanosecond_,
            .offset = offset_,
            .zone_name = zone_name_};
  }

 private:
  static constexpr i64 kDay = 86400;

  // Looks at the first letter before it looks for names, since most words are none.
  bool other_month_name(i64 *value) {
    constexpr Bytes kInitials = "jfmasond";
    return kInitials.find(static_cast<char>(at(0) | 0x20)) != Bytes::npos && named_month(value);
  }
  [[gnu::cold]] bool named_month(i64 *value) {
    const MonthName found = find_month(rest());
    *value = found.number;
    at_ += found.size;
    return found.number != 0;
  }
  void counted_fraction() {
    i64 value = 0, count = 0;
    for (; digit_at(0) && count < 10; ++at_, ++count) value = value * 10 + (*at_ - '0');
    nanosecond_ = value * (count <= 3 ? 1'000'000 : 1'000);
    if (count > 3 && count != 6) at_ -= count + 1, nanosecond_ = 0;
  }
  void set_zone(Timestamp::Zone zone, i64 offset, i64 bytes) {
    zone_ = zone;
    offset_ = offset;
    at_ += bytes;
  }
  // Reads +02:00 +0200 +02, and -300 in minutes after a clock with points, as DB2 writes it.
  bool offset(i64 blank) {
    const Bytes text = rest().substr(static_cast<size_t>(blank));
    if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
    if (text.starts_with("+0000") && text.size() == 5) {  // as in nearly all logs
      set_zone(Timestamp::Zone::offset, 0, blank + 5);
      return true;
    }
    i64 digits = 1;
    while (digits < 5 && digits < std::ssize(text) && is_digit(text[static_cast<size_t>(digits)])) {
      ++digits;
    }
    const bool colon =
        digits == 3 && at(blank + 3) == ':' && digit_at(blank + 4) && digit_at(blank + 5);
    const i64 bytes = colon ? 6 : digits;
    if (is_word(at(blank + bytes))) return false;
    if (bytes == 3 && blank != 0 && left() > blank + bytes) return false;
    if (bytes == 4) return counts_minutes_ && offset_in_minutes(text.substr(0, 4), blank);
    i64 value = 0;
    if (bytes < 3 || !parse_offset(text.substr(0, static_cast<size_t>(bytes)), &value))
      return false;
    set_zone(Timestamp::Zone::offset, value, blank + bytes);
    return true;
  }
  bool offset_in_minutes(Bytes text, i64 blank) {
    const i64 minutes = (text[1] - '0') * 100 + (text[2] - '0') * 10 + (text[3] - '0');
    set_zone(Timestamp::Zone::offset, (text[0] == '-' ? -60 : 60) * minutes, blank + 4);
    return true;
  }
  // Reads the name in "+0200 CEST", as Go prints it, or "+02:00[Europe/Berlin]", as Java does. The
  // offset counts.
  void named_after_offset() {
    const i64 known = offset_;
    const i64 blank = at(0) == ' ';
    const char c = at(blank);
    const bool is_named = c == '[' || c == '(' ? enclosed_zone(blank) : blank && named_zone(blank);
    if (is_named) set_zone(Timestamp::Zone::offset, known, 0);
  }
  // Reads [Europe/Berlin], (CET) or the like; after an offset also the words of JavaScript, as in
  // "(Central European Standard Time)".
  bool enclosed_zone(i64 blank) {
    const i64 size = enclosed_zone_size(rest().substr(static_cast<size_t>(blank)),
                                        zone_ != Timestamp::Zone::unsaid);
    if (size == 0 || is_word(at(blank + size))) return false;
    const Bytes name = rest().substr(static_cast<size_t>(blank) + 1, static_cast<size_t>(size) - 2);
    const std::optional<i64> offset = offset_of_zone(name);
    zone_name_ = offset ? Bytes() : name;
    set_zone(offset ? Timestamp::Zone::offset : Timestamp::Zone::name, offset.value_or(0),
             blank + size);
    return true;
  }
  bool named_zone(i64 blank) {
    const Bytes text = rest().substr(static_cast<size_t>(blank));
    size_t size = 0;
    while (size < text.size() && is_letter(text[size])) ++size;
    const Bytes letters = text.substr(0, size);
    std::optional<i64> offset;
    if (size <= 5 && may_be_zone(letters)) offset = offset_of_zone(letters);
    if (offset) {
      const i64 end = blank + static_cast<i64>(size);
      const bool may_go_on = text[0] == 'U' || text[0] == 'G';   // GMT+0200
      const bool is_in_brackets = blank == 0 && at(end) == '[';  // Z[Europe/Berlin]
      const bool has_offset = may_go_on && (at(end) == '+' || at(end) == '-');
      if (!ends_word(end) && !is_in_brackets && !has_offset) return false;
      if (blank != 0 && text[0] == 'z' && end < left()) return false;
      set_zone(Timestamp::Zone::offset, *offset, end);
      if ((may_go_on && this->offset(0)) || is_in_brackets) named_after_offset();
      return true;
    }
    const bool has_area = size < text.size() && text[size] == '/';
    const size_t region = has_area ? region_size(text) : 0;
    if (region == 0) return false;
    zone_name_ = text.substr(0, region);
    set_zone(Timestamp::Zone::name, 0, blank + static_cast<i64>(region));
    return true;
  }

  const char *begin_;
  const char *at_;
  const char *end_;
  i64 day_ = 0;  // days since 1970
  i64 second_ = 0;
  i64 nanosecond_ = 0;
  i64 offset_ = 0;
  Bytes zone_name_;
  Timestamp::Zone zone_ = Timestamp::Zone::unsaid;
  bool has_year_ = true;
  bool counts_minutes_ = false;
  u8 month_ = 0, day_of_month_ = 0;
};

}  // namespace mrc
