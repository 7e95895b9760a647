// Tells a year from other numbers after the clock of a time that has no year, as in
// "Sep 13 06:25:10 2015 x". Other programs write the number of a process there. Years are
// plausible, and change only where the dates go back to the beginning of a year.
#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/log_words.h"

#include <algorithm>
#include <chrono>
#include <compare>

namespace mrc {
namespace {

i64 year_of_today() {
  using namespace std::chrono;
  const year_month_day today(floor<days>(system_clock::now()));
  return static_cast<int>(today.year());
}

// A time whose clock a number follows.
struct Numbered {
  i64 year = 0;  // 0: the number is no year
  i64 month = 0, day = 0, second = 0;

  auto date() const { return std::pair(month, day); }
  auto moment() const { return std::tuple(month, day, second); }
};

// Returns the times that a number follows.
std::vector<Numbered> numbered_times(const std::vector<Bytes> &texts) {
  const i64 last = year_of_today() + 1;
  std::vector<Numbered> times;
  for (Bytes text : texts) {
    const Timestamp time = find_timestamp(text);
    const Bytes rest = text.substr(static_cast<size_t>(time.size));
    const Bytes word = without_blanks_before(rest);
    if (time.has_year || word.empty() || word.size() == rest.size() || !is_digit(word[0])) continue;
    const i64 year = year_after_clock(text, time).year;
    times.push_back({year > last ? 0 : year, time.month, time.day, time.local});
  }
  return times;
}

// True if the year of a later line, or of an earlier one in a log that begins with its last line,
// may be another one.
bool may_follow(const Numbered &before, const Numbered &after) {
  if (before.year == after.year) return true;
  const bool is_next = after.year == before.year + 1 && after.date() < before.date();
  return is_next || (after.year == before.year - 1 && after.date() > before.date());
}

}  // namespace

ClockNumbers numbers_after_clocks(const std::vector<Bytes> &texts) {
  const std::vector<Numbered> times = numbered_times(texts);
  const i64 plausible = std::ranges::count_if(times, [](auto &time) { return time.year != 0; });
  const auto all = std::ssize(texts);
  if (!is_most(plausible, all)) return ClockNumbers::other;
  i64 following = 0, sorted = 0;
  for (size_t i = 1; i < times.size(); ++i) {
    following += may_follow(times[i - 1], times[i]);
    sorted += times[i - 1].moment() <= times[i].moment();
  }
  const i64 steps = std::ssize(times) - 1;
  if (steps == 0 || is_most(following, steps)) return ClockNumbers::years;
  return is_most(sorted, steps) ? ClockNumbers::other : ClockNumbers::unsettled;
}

}  // namespace mrc
