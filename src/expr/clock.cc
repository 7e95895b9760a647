#include "expr/inner/clock.h"

#include "base/make_error.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/inner/constant.h"

#include <charconv>

namespace mrc {
namespace {

// Returns the seconds of a unit by its name: s, sec, second, seconds, and so on; 0 if it is none.
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

// Reads "-1h" or "2 days ago" in seconds.
bool parse_ago(std::string_view text, i64 *seconds) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  const bool ago = text.ends_with(" ago");
  if (ago) text.remove_suffix(4);
  if (minus == ago) return false;
  i64 count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const size_t digits = static_cast<size_t>(end - text.data());
  const i64 unit = seconds_of_unit(without_blanks_around(text.substr(digits)));
  constexpr i64 kMost = i64{200} * 366 * kDay;
  if (error != std::errc() || count < 0 || unit == 0 || count > kMost / unit) return false;
  *seconds = count * unit;
  return true;
}

// Reads "today", "yesterday", "14:00" or "yesterday 14:00" as the literal of that day.
std::optional<TimeSpan> read_day(std::string_view when, const TimeContext &context, i64 now) {
  std::string_view day = "today", clock = when;
  for (const std::string_view word : {"today", "yesterday"}) {
    if (!when.starts_with(word)) continue;
    day = word;
    clock = when.substr(word.size());
    if (!clock.empty() && clock[0] != ' ') return std::nullopt;
  }
  std::string literal = literal_of_relative_time(day, context, now);
  if (!clock.empty()) literal.append("T").append(without_blanks_around(clock));
  return read_time_span(literal, context);
}

std::string note_of_open_order(const FieldName &field) {
  return fmt::format(
      "{}: 03/11/2026 may be in March or in November, and no value settles it: such dates are "
      "missing; {} dmy or mdy says which number is the day",
      written_field(field), setting_name("dates"));
}

// The user's zone is that of times without one.
void note_mixed_zones(const FieldName &field, const Clock &clock) {
  if (!clock.zone.empty() || clock.kinds == nullptr || !clock.kinds->mixes_zones(field)) return;
  clock.kinds->note(fmt::format(
      "{}: some of the times have a zone and others have none; those without are taken as UTC; {} "
      "sets their zone",
      written_field(field), setting_name("tz")));
}

// A number after a clock may be that of a process, unless it is the year that times without one
// have.
void note_assumed_year(const FieldName &field, const Clock &clock) {
  const i64 year = clock.kinds == nullptr ? 0 : clock.kinds->assumed_year(field);
  if (year == 0 || year == clock.year_of_now) return;
  clock.kinds->note(fmt::format(
      "{}: the number after the clock, {}, is taken as the year; {} sets another pattern if it is "
      "none",
      written_field(field), year, setting_name("from")));
}

}  // namespace

std::string written_field(const FieldName &field) {
  return field.number < 0 ? written_name(field.text, false) : field.text;
}

Result<i64> parse_when(std::string_view text, const TimeContext &context, i64 now) {
  const std::string_view when = without_blanks_around(text);
  if (when == "now") return now;
  if (const std::optional<TimeSpan> day = read_day(when, context, now)) return day->begin;
  i64 seconds = 0;
  if (parse_ago(when, &seconds)) return now - seconds * kSecond;
  if (const std::optional<i64> time = read_time(when, context)) return *time;
  return make_error(
      "\"{}\" is not a time: write 2015-09-13, 2015-09-13T06:25, 14:00, today, "
      "yesterday, -1h or \"2 days ago\"",
      text);
}

TimeContext make_time_context(const Clock &clock) {
  const Result<const Zone *> zone = find_zone(clock.zone);
  return {zone.is_ok() ? *zone : *find_zone(""), clock.year_of_now, clock.month_of_now,
          clock.dates};
}

TimeContext make_time_context(const Clock &clock, const FieldExpr &field) {
  TimeContext context = make_time_context(clock);
  context.dates = date_order_of(field, clock);
  return context;
}

DateOrder date_order_of(const FieldExpr &field, const Clock &clock) {
  if (!field.computed) {
    note_mixed_zones(field.field, clock);
    note_assumed_year(field.field, clock);
  }
  if (is_settled(field.kind.dates)) return field.kind.dates;
  if (clock.kinds == nullptr || field.computed) return clock.dates;
  const FieldKind kind = clock.kinds->kind_of(field.field);
  if (is_settled(kind.dates)) {
    clock.kinds->depend_on(field.field, kind);
    return kind.dates;
  }
  const bool is_open = kind.dates == DateOrder::unsettled && !is_settled(clock.dates);
  if (is_open) clock.kinds->note(note_of_open_order(field.field));
  return clock.dates;
}

Status check_clock(const Clock &clock) { return find_zone(clock.zone).status(); }

std::optional<i64> parse_time(Bytes text, const Clock &clock) {
  const Zone *zone = last_zone(clock.zone);
  if (zone == nullptr) return std::nullopt;
  return read_time(text, {zone, clock.year_of_now, clock.month_of_now, clock.dates});
}

}  // namespace mrc
