// Times in text become instants, and these what is asked of them: on the clock of the time zone.
#include "expr/time_functions.h"

#include "expr/time_text.h"
#include "expr/value_nodes.h"

#include <fmt/format.h>
#include <time.h>

#include <chrono>

namespace mrc {
namespace {

using Numbers = Result<NumbersPtr>;
using Texts = Result<TextsPtr>;
using One = std::array<Bytes, 1>;

// An instant, and what clocks show then.
struct LocalTime {
  i64 seconds, nanoseconds;  // since 1970 in UTC
  i64 local, offset;         // seconds

  LocalTime(i64 time, const TimeContext &context)
      : seconds(floor_divide(time, kSecond)), nanoseconds(time - seconds * kSecond) {
    offset = context.zone->around(seconds).offset;
    local = seconds + offset;
  }
  std::chrono::sys_days date() const {
    return std::chrono::sys_days(std::chrono::days(floor_divide(local, 86400)));
  }
  std::chrono::year_month_day calendar() const { return {date()}; }
  i64 second_of_day() const { return local - floor_divide(local, 86400) * 86400; }
};

// Nanoseconds as seconds, with as few decimal places as it takes.
Number seconds_of(__int128 nanoseconds, Arena *arena) {
  i64 scale = 9;
  for (; scale > 0 && nanoseconds % 10 == 0; --scale) nanoseconds /= 10;
  return decimal_number(nanoseconds, scale, arena);
}

// The result for text that is not a time: missing, or a bad value.
Number no_time(Bytes text) { return is_absent(text) ? kNoNumber : kBadNumber; }

std::string not_a_time(const Expression &time) {
  return fmt::format("{} is not a time", time.typed);
}

// Number part(local time, arena)
template <auto kPart>
struct Part {
  TimeContext context;
  Number operator()(const One &text, Arena *arena) const {
    const std::optional<i64> time = read_time(text[0], context);
    return time ? kPart(LocalTime(*time, context), arena) : no_time(text[0]);
  }
};

template <typename Rule>
Numbers numbers_of_time(const Expression &call, Compiler *compiler, Rule rule) {
  Texts time = compiler->texts(call.arguments[0]);
  if (!time.is_ok()) return time.status();
  return std::make_unique<NumbersOfTexts<1, Rule>>(list_of(std::move(*time)), std::move(rule),
                                                   not_a_time(call.arguments[0]));
}

template <auto kPart>
Numbers make_part(const Expression &call, Compiler *compiler) {
  const Result<TimeContext> context = compiler->time_context(call.arguments[0]);
  if (!context.is_ok()) return context.status();
  return numbers_of_time(call, compiler, Part<kPart>{*context});
}

Number whole_seconds(const LocalTime &time, Arena *arena) {
  return seconds_of(static_cast<__int128>(time.seconds) * kSecond + time.nanoseconds, arena);
}
Number year_of(const LocalTime &time, Arena *) {
  return make_number(static_cast<int>(time.calendar().year()), 0);
}
Number month_of(const LocalTime &time, Arena *) {
  return make_number(static_cast<unsigned>(time.calendar().month()), 0);
}
Number day_of(const LocalTime &time, Arena *) {
  return make_number(static_cast<unsigned>(time.calendar().day()), 0);
}
Number hour_of(const LocalTime &time, Arena *) {
  return make_number(time.second_of_day() / 3600, 0);
}
Number minute_of(const LocalTime &time, Arena *) {
  return make_number(time.second_of_day() / 60 % 60, 0);
}
Number second_of(const LocalTime &time, Arena *arena) {
  return seconds_of(time.second_of_day() % 60 * kSecond + time.nanoseconds, arena);
}
Number weekday_of(const LocalTime &time, Arena *) {
  return make_number(std::chrono::weekday(time.date()).iso_encoding(), 0);
}

// time(TEXT, FORMAT)
struct Parsed {
  TimeContext context;
  std::string format;
  bool has_offset;
  Number operator()(const One &text, Arena *) const {
    const std::string copy(text[0]);
    struct tm date = {};
    date.tm_mday = 1;
    date.tm_year = 70;
    const char *end = strptime(copy.c_str(), format.c_str(), &date);
    if (end == nullptr || end != copy.data() + copy.size()) return no_time(text[0]);
    const i64 offset = date.tm_gmtoff;
    const i64 local = timegm(&date);
    return make_number(has_offset ? local - offset : context.zone->utc_of(local), 0);
  }
};

struct Difference {
  TimeContext of_later, of_earlier;
  Number operator()(const std::array<Bytes, 2> &texts, Arena *arena) const {
    const std::optional<i64> later = read_time(texts[0], of_later);
    const std::optional<i64> earlier = read_time(texts[1], of_earlier);
    if (later && earlier) return seconds_of(static_cast<__int128>(*later) - *earlier, arena);
    return no_time(later ? texts[1] : texts[0]);
  }
};

// strftime() cannot know these: %s, seconds since 1970; %f, microseconds.
std::string completed(std::string_view format, const LocalTime &time) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    const char next = format[i] == '%' && i + 1 < format.size() ? format[i + 1] : '\0';
    if (next == 's') {
      out += fmt::format("{}", time.seconds);
    } else if (next == 'f') {
      out += fmt::format("{:06}", time.nanoseconds / 1000);
    } else {
      out.append(1, format[i]).append(next == '\0' ? 0 : 1, next);
    }
    i += next != '\0';
  }
  return out;
}

struct Formatted {
  TimeContext context;
  std::string format;
  Bytes operator()(const One &text, Arena *arena) const {
    const std::optional<i64> instant = read_time(text[0], context);
    if (!instant) return {};
    const LocalTime time(*instant, context);
    struct tm date;
    const time_t local = time.local;
    gmtime_r(&local, &date);
    date.tm_gmtoff = time.offset;
    const std::string complete = completed(format, time) + "|";  // never empty
    std::array<char, 1024> out;
    const size_t size = strftime(out.data(), out.size(), complete.c_str(), &date);
    return size == 0 ? Bytes() : keep_text({out.data(), size - 1}, arena);
  }
};

Result<std::string> format_of(const Expression &call, Compiler *compiler, char refused) {
  Result<std::string> format = compiler->constant(call.arguments[1], "a format");
  if (!format.is_ok()) return format;
  for (size_t at = 0; (at = format->find('%', at)) != std::string::npos; at += 2) {
    if (at + 1 < format->size() && (*format)[at + 1] != refused) continue;
    return Status::error(
        fmt::format("{}: {} has no meaning here", call.typed, format->substr(at, 2)));
  }
  return format;
}

}  // namespace

Numbers make_seconds(const Expression &call, Compiler *compiler) {
  if (call.arguments.size() == 1) return make_part<whole_seconds>(call, compiler);
  const Result<TimeContext> context = compiler->time_context(call.arguments[0]);
  if (!context.is_ok()) return context.status();
  Result<std::string> format = format_of(call, compiler, 's');
  if (!format.is_ok()) return format.status();
  const bool has_offset = format->find("%z") != std::string::npos;
  return numbers_of_time(call, compiler, Parsed{*context, *format, has_offset});
}

Numbers make_difference(const Expression &call, Compiler *compiler) {
  const Result<TimeContext> later = compiler->time_context(call.arguments[0]);
  if (!later.is_ok()) return later.status();
  const Result<TimeContext> earlier = compiler->time_context(call.arguments[1]);
  if (!earlier.is_ok()) return earlier.status();
  Result<std::vector<TextsPtr>> times = compiler->all_texts(call);
  if (!times.is_ok()) return times.status();
  return std::make_unique<NumbersOfTexts<2, Difference>>(
      std::move(*times), Difference{*later, *earlier},
      fmt::format("{} is not of two times", call.typed));
}

Numbers make_year(const Expression &call, Compiler *compiler) {
  return make_part<year_of>(call, compiler);
}
Numbers make_month(const Expression &call, Compiler *compiler) {
  return make_part<month_of>(call, compiler);
}
Numbers make_day(const Expression &call, Compiler *compiler) {
  return make_part<day_of>(call, compiler);
}
Numbers make_hour(const Expression &call, Compiler *compiler) {
  return make_part<hour_of>(call, compiler);
}
Numbers make_minute(const Expression &call, Compiler *compiler) {
  return make_part<minute_of>(call, compiler);
}
Numbers make_second(const Expression &call, Compiler *compiler) {
  return make_part<second_of>(call, compiler);
}
Numbers make_weekday(const Expression &call, Compiler *compiler) {
  return make_part<weekday_of>(call, compiler);
}

Texts make_format(const Expression &call, Compiler *compiler) {
  const Result<TimeContext> context = compiler->time_context(call.arguments[0]);
  if (!context.is_ok()) return context.status();
  Result<std::string> format = format_of(call, compiler, 'Z');
  if (!format.is_ok()) return format.status();
  Texts time = compiler->texts(call.arguments[0]);
  if (!time.is_ok()) return time;
  return std::make_unique<TextsOfTexts<1, Formatted>>(
      list_of(std::move(*time)), Formatted{*context, *format}, not_a_time(call.arguments[0]));
}

}  // namespace mrc
