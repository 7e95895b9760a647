#include "expr/when.h"

#include "base/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr i64 kDay = 86400;

// Seconds of a unit by its name: s, sec, second, seconds, and so on; 0 if it is none.
i64 seconds_of_unit(std::string_view name) {
  struct Unit {
    std::string_view letter, word;
    i64 seconds;
  };
  constexpr Unit kUnits[] = {{"s", "second", 1},     {"s", "sec", 1},     {"m", "minute", 60},
                             {"m", "min", 60},       {"h", "hour", 3600}, {"d", "day", kDay},
                             {"w", "week", 7 * kDay}};
  for (const Unit &unit : kUnits) {
    const bool plural =
        name.size() == unit.word.size() + 1 && name.back() == 's' && name.starts_with(unit.word);
    if (name == unit.letter || name == unit.word || plural) return unit.seconds;
  }
  return 0;
}

std::string_view without_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// "-1h" or "2 days ago" in seconds.
bool parse_ago(std::string_view text, i64 *seconds) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  const bool ago = text.ends_with(" ago");
  if (ago) text.remove_suffix(4);
  if (minus == ago) return false;
  i64 count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const size_t digits = static_cast<size_t>(end - text.data());
  const i64 unit = seconds_of_unit(without_blanks(text.substr(digits)));
  constexpr i64 kMost = i64{200} * 366 * kDay;
  if (error != std::errc() || count < 0 || unit == 0 || count > kMost / unit) return false;
  *seconds = count * unit;
  return true;
}

i64 midnight(i64 now, i64 days_ago, const TimeContext &context) {
  const i64 utc = floor_divide(now, kSecond);
  const i64 local = utc + context.zone->around(utc).offset;
  return context.zone->utc_of((floor_divide(local, kDay) - days_ago) * kDay) * kSecond;
}

}  // namespace

Result<i64> parse_when(std::string_view text, const TimeContext &context, i64 now) {
  const std::string_view when = without_blanks(text);
  if (when == "now") return now;
  if (when == "today") return midnight(now, 0, context);
  if (when == "yesterday") return midnight(now, 1, context);
  i64 seconds = 0;
  if (parse_ago(when, &seconds)) return now - seconds * kSecond;
  if (const std::optional<i64> time = read_time(when, context)) return *time;
  return Status::error(fmt::format(
      "\"{}\" is not a time: write 2015-09-13, 2015-09-13T06:25, today, yesterday, -1h or "
      "\"2 days ago\"",
      text));
}

}  // namespace mrc
