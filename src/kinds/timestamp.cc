// Each shape is read in a few lines, part by part. The first bytes of a text suggest the shapes to
// try, unless its shape is known.
#include "kinds/timestamp.h"

#include "kinds/timestamp_reader.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace mrc {

thread_local DateMemo last_date;

namespace {

constexpr i64 kFirstYear = 1678, kLastYear = 2261;
constexpr i64 kTaiAhead = 10;  // seconds that TAI64N labels are ahead of UTC, as multilog counts

// The extent of a timestamp: the front of a text, or a whole value, which may have fewer parts.
enum class Extent { front, whole };

class ShapeReader : public TimestampReader {
 public:
  ShapeReader(Bytes text, Extent extent, DateOrder order = DateOrder::unknown)
      : TimestampReader(text), whole_(extent == Extent::whole), order_(order) {}

  bool read(TimeShape shape);

 private:
  // Reads fraction, half of the day and zone, as far as they are present.
  bool ending() {
    fraction();
    half_day();
    zone();
    if (whole_ && at(0) == '[') skip_suffixes();
    return is_end();
  }
  bool clock_and_ending() { return loose_clock() && ending(); }
  bool take_any(Bytes of) { return of.find(at(0)) != Bytes::npos && left() > 0 && take(at(0)); }
  // Reads a separator between date and clock: "T", "-" or others, or a run of blanks, which may
  // follow a comma and surround dashes. In a whole value, it may be a comma alone.
  bool separator(Bytes of) {
    const bool has_comma = take(',');
    if (!take_blanks()) return (whole_ && has_comma && digit_at(0)) || take_any(of);
    either([this] { return take('-') && (take('-') || true) && take_blanks(); });
    return true;
  }

  // Reads 2015-09-13 or 2015/09/13, 2015.09.13, 2015:09:13.
  bool iso_date() {
    return date(10, [this] {
      i64 y = 0, m = 0, d = 0;
      const char mark = at(4);
      const bool is_mark = mark == '-' || mark == '/' || mark == '.' || mark == ':';
      return is_mark && digits(4, &y) && take(mark) && two(&m) && take(mark) && two(&d) &&
             day_of(y, m, d);
    });
  }
  // Reads 2015-9-3.
  bool loose_date() {
    i64 y = 0, m = 0, d = 0;
    const char mark = at(4);
    return (mark == '-' || mark == '/') && digits(4, &y) && take(mark) && one_or_two(&m) &&
           take(mark) && one_or_two(&d) && day_of(y, m, d) && !digit_at(0) && left() > 0;
  }
  bool year_first() {
    if (whole_ && left() == 7) {
      i64 y = 0, m = 0;
      return digits(4, &y) && take('-') && two(&m) && day_of(y, m, 1);
    }
    if (!either([this] { return iso_date(); }) && !loose_date()) return false;
    if (whole_ && left() == 0) return true;
    const bool dotted = at(0) == '-' || at(0) == 'T';
    if (!separator("Tt-_:/\t")) return false;
    return (loose_clock() || (dotted && either([this] { return dotted_clock(); })) ||
            short_clock()) &&
           ending();
  }
  bool compact() {
    i64 y = 0, m = 0, d = 0;
    return digits(4, &y) && two(&m) && two(&d) && day_of(y, m, d) && separator("T-_:") &&
           (loose_clock() || short_clock()) && ending();
  }
  bool short_year() {
    i64 y = 0, m = 0, d = 0;
    const char mark = at(2);
    if ((mark != '/' && mark != '-') || !year_of_two(&y) || !take(mark) || !two(&m)) return false;
    if (!take(mark) || !two(&d) || !day_of(y, m, d) || !take_blanks() || !clock()) return false;
    // Text that continues as a date with the month first does is such a date.
    return !(at(0) == ':' && digit_at(1)) && at(2) != 'M' && ending();
  }
  bool short_compact() {
    i64 y = 0, m = 0, d = 0;
    return year_of_two(&y) && two(&m) && two(&d) && day_of(y, m, d) && take_blanks() &&
           (loose_clock() || (digits_here() == 6 && short_clock())) && ending();
  }

  // Reads 13/Sep/2015.
  bool log_date() {
    return date(11, [this] {
      i64 y = 0, m = 0, d = 0;
      const char mark = at(2);
      return two(&d) && take(mark) && month_name(&m) && take(mark) && digits(4, &y) &&
             day_of(y, m, d);
    });
  }
  // Reads 4 Dec 2005, 4-Dec-05 or 4 Dec, and 4. Dez. 2005.
  bool loose_log_date() {
    i64 y = 0, m = 0, d = 0;
    if (!one_or_two(&d)) return false;
    if (at(0) == '.' && at(1) == ' ') skip(1);
    const char mark = at(0);
    if (!take_any(" -/") || !any_month_name(&m)) return false;
    if (mark == ' ' && (at(3) == ':' || at(2) == ':')) {
      drop_year();
      return day_of_some_year(m, d);
    }
    if (!take(mark)) return false;
    const bool has_year = digit_at(2) ? digits(4, &y) : year_of_two(&y);
    return has_year && day_of(y, m, d);
  }
  bool day_month_name() {
    const bool marked = at(2) == '/' || at(2) == '-';
    if (!(marked && either([this] { return log_date(); })) && !loose_log_date()) return false;
    if (!separator(":T-")) return false;
    take(':');  // Erlang writes two
    if (!clock_and_ending()) return false;
    const bool may_have_year = whole_ && month() != 0 && left() > 0;
    return !may_have_year || (take_blanks() && later_year() && is_end());
  }
  bool year_month_name() {
    i64 y = 0, m = 0, d = 0;
    const char mark = at(4);
    return (mark == '-' || mark == ' ' || mark == '/') && digits(4, &y) && take(mark) &&
           any_month_name(&m) && take(mark) && (take_blanks() || true) && one_or_two(&d) &&
           day_of(y, m, d) && separator("T-:") && clock_and_ending();
  }

  // Reads Dec-04-05 04:47:44 or Dec/04/2005, after the month.
  bool rest_of_marked_date(i64 m) {
    i64 y = 0, d = 0;
    const char mark = at(0);
    if (!take_any("-/") || !two(&d) || !take(mark)) return false;
    const bool has_year = digit_at(2) ? digits(4, &y) : year_of_two(&y);
    return has_year && day_of(y, m, d) && separator(":-T") && clock_and_ending();
  }
  // Reads Dec  4 04:47:44, with a year after the day, or at the end (and a zone before it). A zone
  // may also precede all of it.
  bool month_name_first(bool has_weekday) {
    i64 y = 0, m = 0, d = 0;
    if (!any_month_name(&m) && !(leading_zone() && month_name(&m))) return false;
    if (at(0) != ' ') return !has_weekday && rest_of_marked_date(m);
    if (!take_blanks() || !one_or_two(&d)) return false;
    take(',');
    if (!take_blanks()) return false;
    const bool year_follows = at(2) != ':' && at(1) != ':';
    if (year_follows && (!digits(4, &y) || !separator(""))) return false;
    if (!loose_clock() && !(year_follows && short_clock())) return false;
    if (year_follows) return day_of(y, m, d) && ending();
    if (!ending()) return false;
    if (whole_ ? left() > 0 : has_weekday) {
      if (!take_blanks() || !digits(4, &y) || !day_of(y, m, d)) return false;
      zone();
      return is_end();
    }
    drop_year();
    return !has_weekday && day_of_some_year(m, d);
  }
  bool weekday() {
    if (left() < 5) return false;
    const bool is_usual = is_weekday(rest().data()) && !is_letter(at(3));
    const i64 size = is_usual ? 3 : weekday_size(rest());
    if (size == 0) return false;
    skip(size);
    take(',');
    if (!take_blanks()) return false;
    if (!digit_at(0)) return month_name_first(true);
    if (digit_at(3)) return year_first();
    if (!day_month_name()) return false;
    return taken(TimeShape::weekday).has_year || (take_blanks() && later_year() && is_end());
  }

  // Reads a/b/c or a-b-c as the parts of a date. A year after dashes has four digits.
  bool slashed(i64 *first, i64 *second, i64 *year) {
    if (!one_or_two(first)) return false;
    const char mark = at(0);
    if (!take_any("/-") || !one_or_two(second) || !take(mark)) return false;
    return digit_at(2) ? digits(4, year) : mark == '/' && year_of_two(year);
  }
  bool month_day_year() {
    i64 y = 0, m = 0, d = 0;
    return slashed(&m, &d, &y) && day_of(y, m, d) && (is_date() || clock_after("-_:T"));
  }
  bool slashed_day_first() {
    i64 y = 0, m = 0, d = 0;
    return slashed(&d, &m, &y) && day_of(y, m, d) && (is_date() || clock_after("-_:T"));
  }
  // True if the date is all of the value.
  bool is_date() const { return whole_ && left() == 0; }
  bool clock_after(Bytes separators) {
    const auto is_short = [this] { return short_clock(); };
    return separator(separators) && (loose_clock() || either(is_short) || hour_and_minute()) &&
           ending();
  }
  // Reads 9:05, before AM or PM.
  bool hour_and_minute() {
    i64 h = 0, m = 0;
    return digits(1, &h) && take(':') && two(&m) && !(at(0) == ':' && digit_at(1)) &&
           set_clock(h, m, 0);
  }
  bool day_month_year() {
    i64 y = 0, m = 0, d = 0;
    if (!one_or_two(&d) || !take('.') || !one_or_two(&m) || !take('.')) return false;
    const bool is_long = digit_at(2);
    const bool has_year = is_long ? digits(4, &y) : year_of_two(&y);
    return has_year && day_of(y, m, d) && ((is_long && is_date()) || clock_after("-_:T"));
  }
  bool month_day() {
    i64 m = 0, d = 0;
    if (!two(&m)) return false;
    const char mark = at(0);
    drop_year();
    if (!take_any("-./") || !two(&d)) return false;
    if (mark == '/' && order_ == DateOrder::day_first) std::swap(m, d);
    return day_of_some_year(m, d) &&
           (take_blanks() || (mark == '/' && take('-')) || (mark == '-' && take('|'))) &&
           clock_and_ending();
  }
  bool joined_month_day() {
    i64 m = 0, d = 0;
    drop_year();
    if (!two(&m) || !two(&d) || !day_of_some_year(m, d)) return false;
    const bool reads = take('/') ? digits_here() == 6 && short_clock() : take_blanks() && clock();
    return reads && at(0) == '.' && ending();
  }

  i64 digits_here() const {
    i64 count = 0;
    while (digit_at(count)) ++count;
    return count;
  }
  bool epoch() {
    const i64 count = digits_here();
    if (at(0) != '1' || (count != 10 && count != 13 && count != 16 && count != 19)) return false;
    skip(count);
    if (at(0) == ':') return true;  // before a number of its own
    fraction();
    return is_end();
  }
  bool uptime() {
    skip(digits_here());
    if (size() == 0 || !take('.') || (digits_here() != 6 && digits_here() != 3)) return false;
    skip(digits_here());
    return at(0) == ']';
  }
  bool tai64n() {
    constexpr i64 kDigits = 24;
    if (!take('@') || at(0) != '4') return false;
    i64 seconds = 0, nanoseconds = 0;
    if (!hex(16, &seconds) || !hex(8, &nanoseconds) || size() != kDigits + 1) return false;
    seconds -= (i64{1} << 62) + kTaiAhead;
    if (seconds / 86400 > *days_since_1970(kLastYear, 12, 31) || nanoseconds >= kNanoseconds) {
      return false;
    }
    set_instant(seconds, nanoseconds);
    return is_end();
  }
  bool hex(i64 count, i64 *value) {
    for (i64 i = 0; i < count; ++i) {
      const char c = static_cast<char>(at(i) | 0x20);
      if (!digit_at(i) && (c < 'a' || c > 'f')) return false;
      *value = *value * 16 + (digit_at(i) ? at(i) - '0' : c - 'a' + 10);
    }
    skip(count);
    return true;
  }
  // Reads 3:04PM, the kitchen clock of Go.
  bool kitchen_clock() {
    i64 h = 0, m = 0;
    if (!one_or_two(&h) || !take(':') || !two(&m) || !set_clock(h, m, 0)) return false;
    const i64 before = size();
    half_day();
    return size() > before && is_end();
  }
  bool time_of_day() {
    drop_year();
    return either([this] { return loose_clock() && ending(); }) || kitchen_clock();
  }

  bool whole_;
  DateOrder order_;
};

bool ShapeReader::read(TimeShape shape) {
  switch (shape) {
    case TimeShape::none: return false;
    case TimeShape::year_first: return year_first();
    case TimeShape::compact: return compact();
    case TimeShape::short_year: return short_year();
    case TimeShape::short_compact: return short_compact();
    case TimeShape::day_month_name: return day_month_name();
    case TimeShape::year_month_name: return year_month_name();
    case TimeShape::month_name: return month_name_first(false);
    case TimeShape::weekday: return weekday();
    case TimeShape::month_day_year: return month_day_year();
    case TimeShape::day_month_year: return day_month_year();
    case TimeShape::slashed_day_first: return slashed_day_first();
    case TimeShape::month_day: return month_day();
    case TimeShape::joined_month_day: return joined_month_day();
    case TimeShape::epoch: return epoch();
    case TimeShape::tai64n: return tai64n();
    case TimeShape::uptime: return uptime();
    case TimeShape::clock: return time_of_day();
  }
  return false;
}

// True for 09/13/2015-06:25:10. Only Snort and Suricata write dates like this, with the month
// first.
bool has_dash_after_date(Bytes text) {
  for (const char mark : {'/', '/', '-'}) {
    const size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
    if (size == 0 || size > 4 || size == text.size() || text[size] != mark) return false;
    text.remove_prefix(size + 1);
  }
  return !text.empty() && is_digit(text[0]);
}

Timestamp find(Bytes text, Extent extent, DateOrder order = DateOrder::unknown) {
  for (const TimeShape shape : guesses(text, order)) {
    ShapeReader reader(text, extent, order);
    if (reader.read(shape)) return reader.taken(shape);
  }
  return {};
}

}  // namespace

Timestamp find_timestamp(Bytes text) { return find(text, Extent::front); }

// A text that has two shapes has the same size in both.
i64 timestamp_size(Bytes text) {
  static thread_local TimeShape last = TimeShape::none;
  ShapeReader reader(text, Extent::front);
  if (reader.read(last)) [[likely]]
    return reader.size();
  const Timestamp found = find_timestamp(text);
  if (found.size > 0) last = found.shape;
  return found.size;
}

// Three numbers with slashes may be of several shapes, whatever their order is.
i64 timestamp_size(Bytes text, const TimeForm &form) {
  ShapeReader reader(text, Extent::front);
  if (!reader.read(form.shape)) {
    if (form.shape != TimeShape::month_day_year) return 0;
    const Timestamp other = find_timestamp(text);
    return other.size > 0 && form_of(text, other) == form ? other.size : 0;
  }
  Timestamp taken;
  taken.shape = form.shape;
  const bool is_right = form.shape != TimeShape::year_first || form_of(text, taken) == form;
  return is_right ? reader.size() : 0;
}

std::optional<Timestamp> read_timestamp(Bytes text, DateOrder order) {
  const auto is_slashed_in = [](const Timestamp &time) {
    return time.shape == TimeShape::month_day_year || time.shape == TimeShape::slashed_day_first;
  };
  Timestamp found = find(text, Extent::whole, order);
  bool is_slashed = is_slashed_in(found);
  if ((is_slashed || found.size == 0) && has_dash_after_date(text)) [[unlikely]] {
    order = DateOrder::month_first;
    found = find(text, Extent::whole, order);
    is_slashed = is_slashed_in(found);
  }
  const bool is_instant = found.shape != TimeShape::epoch && found.shape != TimeShape::uptime &&
                          found.shape != TimeShape::clock && (!is_slashed || is_settled(order));
  if (found.size == 0 || found.size != std::ssize(text) || !is_instant) return std::nullopt;
  return found;
}

std::optional<i64> days_since_1970(i64 y, i64 m, i64 d) {
  using namespace std::chrono;
  const auto date = year(static_cast<int>(y)) / static_cast<int>(m) / static_cast<int>(d);
  if (y < kFirstYear || y > kLastYear || !date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch().count();
}

}  // namespace mrc
