#include "expr/posix_tz.h"

#include "base/text.h"

#include <algorithm>
#include <chrono>

namespace mrc {
namespace {

using namespace std::chrono;

constexpr int kFirstYear = 1970, kLastYear = 2262;

// A day of every year and a time of it on wall clocks.
struct YearDay {
  enum class Kind { week, not_counting_leap_day, counting_leap_day } kind = Kind::week;
  i64 month = 0, week = 0, day = 0;
  i64 time = 7200;
};

struct Rule {
  i64 standard = 0, daylight = 0;  // seconds east of UTC
  bool has_daylight = false;
  YearDay begin, end;  // of daylight saving time
};

// Takes the parts of a rule off its front; all return false if they are not there.
class RuleReader {
 public:
  explicit RuleReader(std::string_view left) : left_(left) {}

  bool is_at_end() const { return left_.empty(); }
  bool take(char c) {
    if (!left_.starts_with(c)) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool name() {
    const bool quoted = take('<');
    size_t size = 0;
    while (size < left_.size() && is_of_name(left_[size], quoted)) ++size;
    left_.remove_prefix(size);
    return size > 0 && (!quoted || take('>'));
  }
  bool number(i64 largest, i64 *value) {
    *value = 0;
    size_t size = 0;
    for (; size < left_.size() && size < 4 && is_digit(left_[size]); ++size) {
      *value = *value * 10 + (left_[size] - '0');
    }
    left_.remove_prefix(size);
    return size > 0 && *value <= largest;
  }
  // [+-]h[:m[:s]] in seconds.
  bool time(i64 *seconds) {
    const bool negative = take('-');
    if (!negative) take('+');
    i64 hours = 0, minutes = 0, rest = 0;
    if (!number(167, &hours)) return false;
    if (take(':') && (!number(59, &minutes) || (take(':') && !number(59, &rest)))) return false;
    *seconds = (hours * 3600 + minutes * 60 + rest) * (negative ? -1 : 1);
    return true;
  }
  bool year_day(YearDay *day) {
    if (take('M')) {
      if (!number(12, &day->month) || !take('.') || !number(5, &day->week) || !take('.') ||
          !number(6, &day->day) || day->month == 0 || day->week == 0) {
        return false;
      }
    } else {
      day->kind =
          take('J') ? YearDay::Kind::not_counting_leap_day : YearDay::Kind::counting_leap_day;
      if (!number(365, &day->day)) return false;
    }
    return !take('/') || time(&day->time);
  }

 private:
  static bool is_of_name(char c, bool quoted) {
    return is_letter(c) || (quoted && (is_digit(c) || c == '+' || c == '-'));
  }

  std::string_view left_;
};

bool parse_rule(std::string_view text, Rule *rule) {
  RuleReader reader(text);
  if (!reader.name() || !reader.time(&rule->standard)) return false;
  rule->standard = -rule->standard;  // POSIX counts to the west
  if (reader.is_at_end()) return true;
  rule->has_daylight = true;
  rule->daylight = rule->standard + 3600;
  if (!reader.name()) return false;
  if (!reader.take(',')) {
    if (!reader.time(&rule->daylight)) return false;
    rule->daylight = -rule->daylight;
    if (!reader.take(',')) return false;
  }
  return reader.year_day(&rule->begin) && reader.take(',') && reader.year_day(&rule->end) &&
         reader.is_at_end();
}

// When the day and time come, in local seconds since 1970.
i64 local_time(const YearDay &when, int of_year) {
  const auto y = year(of_year);
  sys_days day = y / January / 1;
  if (when.kind == YearDay::Kind::counting_leap_day) {
    day += days(when.day);
  } else if (when.kind == YearDay::Kind::not_counting_leap_day) {
    day += days(when.day - 1 + (y.is_leap() && when.day >= 60));
  } else {
    const auto m = month(static_cast<unsigned>(when.month));
    const auto weekday_of = weekday(static_cast<unsigned>(when.day));
    day = when.week == 5 ? sys_days(y / m / weekday_of[last])
                         : sys_days(y / m / weekday_of[static_cast<unsigned>(when.week)]);
  }
  return i64{day.time_since_epoch().count()} * 86400 + when.time;
}

}  // namespace

bool append_spans_of_rule(std::string_view text, std::vector<ZoneSpan> *spans) {
  Rule rule;
  if (!parse_rule(text, &rule)) return false;
  const i64 known_until = spans->back().begin;
  std::vector<ZoneSpan> added;
  for (int y = kFirstYear; rule.has_daylight && y <= kLastYear; ++y) {
    added.push_back({local_time(rule.begin, y) - rule.standard, rule.daylight});
    added.push_back({local_time(rule.end, y) - rule.daylight, rule.standard});
  }
  std::sort(added.begin(), added.end(),
            [](const ZoneSpan &a, const ZoneSpan &b) { return a.begin < b.begin; });
  for (const ZoneSpan &span : added) {
    if (span.begin > known_until) spans->push_back(span);
  }
  return true;
}

}  // namespace mrc
