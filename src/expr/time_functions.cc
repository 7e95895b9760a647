// Functions that read times in text and return parts of them, in the time zone of the clock.
#include "expr/inner/functions.h"
#include "expr/inner/kind_values.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>
#include <time.h>

#include <chrono>

namespace mrc {
namespace {

// An instant, and the local time then.
struct LocalTime {
  i64 seconds, nanoseconds;  // since 1970 in UTC
  i64 local, offset;         // seconds

  LocalTime(i64 time, const TimeContext &context)
      : seconds(floor_divide(time, kSecond)), nanoseconds(time - seconds * kSecond) {
    offset = context.zone->around(seconds).offset;
    local = seconds + offset;
  }
  std::chrono::sys_days date() const {
    return std::chrono::sys_days(std::chrono::days(floor_divide(local, kDay)));
  }
  std::chrono::year_month_day calendar() const { return {date()}; }
  i64 second_of_day() const { return local - floor_divide(local, kDay) * kDay; }
};

// Returns the result for text that is not a time: missing, or a bad value.
Number no_time(Bytes text) { return is_absent(text) ? kNoNumber : kBadNumber; }

std::string not_a_time(const Expression &time) {
  return fmt::format("{} is not a time", time.typed);
}

i64 year_of(const LocalTime &time) { return static_cast<int>(time.calendar().year()); }
i64 month_of(const LocalTime &time) { return static_cast<unsigned>(time.calendar().month()); }
i64 day_of(const LocalTime &time) { return static_cast<unsigned>(time.calendar().day()); }
i64 hour_of(const LocalTime &time) { return time.second_of_day() / 3600; }
i64 minute_of(const LocalTime &time) { return time.second_of_day() / 60 % 60; }
i64 second_of(const LocalTime &time) {
  return time.second_of_day() % 60 * kSecond + time.nanoseconds;
}
i64 weekday_of(const LocalTime &time) { return std::chrono::weekday(time.date()).iso_encoding(); }

// Makes the numbers of a part of each time: a whole number, or nanoseconds, which become seconds.
template <auto kPart, bool kIsNanoseconds = false>
NumbersPtr make_part(const Expression &call, Compiler *compiler) {
  const Expression &time = call.arguments[0];
  const auto rule = [context = compiler->time_context(time)](const Here &here, Bytes text) {
    const std::optional<i64> instant = read_time(text, context);
    if (!instant) return no_time(text);
    const i64 part = kPart(LocalTime(*instant, context));
    return kIsNanoseconds ? seconds_of(part, here.arena()) : make_number(part, 0);
  };
  return make_values(Noted(not_a_time(time), rule), compiler->texts(time));
}

// Replaces the formats that strftime() cannot fill: %s, seconds since 1970, and %f, microseconds.
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

Bytes formatted(const LocalTime &time, const std::string &format, Arena *arena) {
  struct tm date;
  const time_t local = time.local;
  gmtime_r(&local, &date);
  date.tm_gmtoff = time.offset;
  const std::string complete = completed(format, time) + "|";  // never empty
  std::array<char, 1024> out;
  const size_t size = strftime(out.data(), out.size(), complete.c_str(), &date);
  return size == 0 ? Bytes() : keep_text({out.data(), size - 1}, arena);
}

std::string format_of(const Expression &call, Compiler *compiler, char refused) {
  const std::string format = compiler->constant(call.arguments[1], "a format");
  for (size_t at = 0; (at = format.find('%', at)) != std::string::npos; at += 2) {
    if (at + 1 < format.size() && format[at + 1] != refused) continue;
    compiler->fail("{}: {} has no meaning here", call.typed, format.substr(at, 2));
  }
  return format;
}

TextsPtr make_format(const Expression &call, Compiler *compiler) {
  const Expression &time = call.arguments[0];
  const auto rule = [context = compiler->time_context(time),
                     format = format_of(call, compiler, 'Z')](const Here &here, Bytes text) {
    const std::optional<i64> instant = read_time(text, context);
    return instant ? formatted(LocalTime(*instant, context), format, here.arena()) : Bytes();
  };
  return make_values(Noted(not_a_time(time), rule), compiler->texts(time));
}

// time(TEXT, FORMAT).
NumbersPtr make_parsed(const Expression &call, Compiler *compiler) {
  const Expression &time = call.arguments[0];
  const std::string format = format_of(call, compiler, 's');
  const bool has_offset = format.find("%z") != std::string::npos;
  const auto rule = [context = compiler->time_context(time), format, has_offset](const Here &,
                                                                                 Bytes text) {
    const std::string copy(text);
    struct tm date = {};
    date.tm_mday = 1;
    date.tm_year = 70;
    const char *end = strptime(copy.c_str(), format.c_str(), &date);
    if (end == nullptr || end != copy.data() + copy.size()) return no_time(text);
    const i64 offset = date.tm_gmtoff;
    const i64 local = timegm(&date);
    return make_number(has_offset ? local - offset : context.zone->utc_of(local), 0);
  };
  return make_values(Noted(not_a_time(time), rule), compiler->texts(time));
}

NumbersPtr make_instant(const Expression &time, const Expression &call, Compiler *compiler) {
  return compiler->numbers_as(ValueKind::time, time, call, Misfit::noted);
}
NumbersPtr make_time(const Expression &call, Compiler *compiler) {
  return call.arguments.size() == 1 ? make_instant(call.arguments[0], call, compiler)
                                    : make_parsed(call, compiler);
}

NumbersPtr make_from_epoch(const Expression &call, Compiler *compiler) {
  return make_times(compiler->numbers(call.arguments[0], call), call);
}

NumbersPtr make_difference(const Expression &call, Compiler *compiler) {
  NumbersPtr later = make_instant(call.arguments[0], call, compiler);
  return make_arithmetic('-', std::move(later), make_instant(call.arguments[1], call, compiler),
                         call.typed);
}

constexpr Function kTimeFunctions[] = {
    of_kind(ValueKind::time, {"time", "(TIME[, FORMAT])", 1, 2, make_time}),
    {"epoch", "(TIME)", 1, 1, make_time},
    of_kind(ValueKind::time, {"fromepoch", "(SECONDS)", 1, 1, make_from_epoch}),
    {"difference", "(TIME, TIME)", 2, 2, make_difference},
    {"format", "(TIME, FORMAT)", 2, 2, nullptr, make_format},
    {"year", "(TIME)", 1, 1, make_part<year_of>},
    of_values(1, 12, {"month", "(TIME)", 1, 1, make_part<month_of>}),
    of_values(1, 31, {"day", "(TIME)", 1, 1, make_part<day_of>}),
    of_values(0, 23, {"hour", "(TIME)", 1, 1, make_part<hour_of>}),
    of_values(0, 59, {"minute", "(TIME)", 1, 1, make_part<minute_of>}),
    {"second", "(TIME)", 1, 1, make_part<second_of, true>},
    of_values(1, 7, {"weekday", "(TIME)", 1, 1, make_part<weekday_of>}),
};

}  // namespace

std::span<const Function> time_functions() { return kTimeFunctions; }

}  // namespace mrc
