#include "expr/inner/constant.h"

#include "base/number.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/inner/version.h"
#include "expr/level.h"
#include "expr/units.h"
#include "fields/timestamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace mrc {
namespace {

Constant plain(ValueKind kind, std::string_view text) {
  return {.kind = kind, .text = std::string(text)};
}

// Reads 0x1f; returns decimal digits.
std::optional<std::string> read_hexadecimal(std::string_view word) {
  if (!word.starts_with("0x") || word.size() < 3 || word.size() > 17) return std::nullopt;
  word.remove_prefix(2);
  u64 number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, 16);
  return end == word.data() + word.size() ? std::optional(std::to_string(number)) : std::nullopt;
}

// Removes underscores between two digits: 1_000 is 1000.
std::string without_underscores(std::string_view word) {
  std::string digits;
  for (size_t i = 0; i < word.size(); ++i) {
    const bool between =
        i > 0 && i + 1 < word.size() && is_digit(word[i - 1]) && is_digit(word[i + 1]);
    if (word[i] != '_' || !between) digits.push_back(word[i]);
  }
  return digits;
}

// True if the word has a needless leading zero. Such a word is a name and not a number, like 007.
bool has_leading_zero(std::string_view word) {
  return word.size() > 1 && word[0] == '0' && is_digit(word[1]);
}

std::optional<Constant> read_number_word(std::string_view word) {
  if (const auto digits = read_hexadecimal(word)) return plain(ValueKind::number, *digits);
  const std::string digits = without_underscores(word);
  const std::string_view unsigned_digits =
      std::string_view(digits).substr(digits.starts_with('-') ? 1 : 0);
  if (has_leading_zero(unsigned_digits)) return std::nullopt;
  Arena arena;
  if (is_number(parse_any_number(digits, &arena))) return plain(ValueKind::number, digits);
  if (const auto seconds = read_duration(digits)) return plain(ValueKind::duration, *seconds);
  if (const auto size = read_unit_size(digits)) return plain(ValueKind::number, *size);
  return std::nullopt;
}

std::optional<Constant> read_address_word(std::string_view word) {
  Constant constant{.kind = ValueKind::address, .text = std::string(word)};
  if (const auto key = address_key(word)) {
    constant.range = {*key, *key};
    return constant;
  }
  const std::optional<AddressRange> range = AddressRange::of_prefix(word);
  if (!range) return std::nullopt;
  constant.range = *range;
  return constant;
}

Constant time_constant(TimeSpan span, std::string_view text) {
  return {.kind = ValueKind::time, .text = std::string(text), .span = span};
}

// Takes exactly `count` digits off the front.
bool take_digits(std::string_view *text, size_t count, i64 *value) {
  if (text->size() < count || !is_digits(text->substr(0, count))) return false;
  const bool read = read_number(text->substr(0, count), value);
  text->remove_prefix(count);
  return read;
}

bool take(std::string_view *text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

// The local time that a literal means, in seconds since 1970 on a clock, and the offset of the
// clock if the literal has one.
struct LocalSpan {
  i64 begin = 0, end = 0;
  i64 nanosecond = 0, nanoseconds = 0;  // the fraction, and its length
  std::optional<i64> offset = {};
};

// Takes the fraction after the point, in nanoseconds.
bool take_fraction(std::string_view *text, LocalSpan *span) {
  span->nanoseconds = kSecond;
  i64 digits = 0;
  for (; !text->empty() && is_digit(text->front()) && digits < 9; ++digits) {
    span->nanoseconds /= 10;
    span->nanosecond += (text->front() - '0') * span->nanoseconds;
    text->remove_prefix(1);
  }
  return digits > 0;
}

// Takes Z, +01:00, +0100 or +01.
bool take_offset(std::string_view *text, LocalSpan *span) {
  if (text->empty()) return true;
  if (take(text, 'Z')) return span->offset = 0, text->empty();
  const bool negative = text->front() == '-';
  i64 hours = 0, minutes = 0;
  if (!take(text, negative ? '-' : '+') || !take_digits(text, 2, &hours)) return false;
  take(text, ':');
  if (!text->empty() && !take_digits(text, 2, &minutes)) return false;
  span->offset = (negative ? -1 : 1) * (hours * 3600 + minutes * 60);
  return text->empty() && hours < 24 && minutes < 60;
}

// Reads the time of day, after T.
bool take_time_of_day(std::string_view text, LocalSpan *span) {
  i64 hour = 0, minute = 0, second = 0, length = 60;
  if (!take_digits(&text, 2, &hour) || !take(&text, ':') || !take_digits(&text, 2, &minute)) {
    return false;
  }
  if (take(&text, ':')) {
    if (!take_digits(&text, 2, &second)) return false;
    length = 1;
    if (take(&text, '.') && !take_fraction(&text, span)) return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  span->begin += hour * 3600 + minute * 60 + second;
  span->end = span->begin + length;
  return take_offset(&text, span);
}

std::optional<LocalSpan> read_local_span(std::string_view text) {
  i64 year = 0, month = 0, day = 1;
  LocalSpan span;
  if (!take_digits(&text, 4, &year) || !take(&text, '-') || !take_digits(&text, 2, &month)) {
    return std::nullopt;
  }
  const bool is_month = text.empty();
  if (!is_month && (!take(&text, '-') || !take_digits(&text, 2, &day))) return std::nullopt;
  const auto begin = days_since_1970(year, month, day);
  const auto next = is_month ? days_since_1970(year + month / 12, month % 12 + 1, 1) : begin;
  if (!begin || !next) return std::nullopt;
  span.begin = *begin * kDay;
  span.end = is_month ? *next * kDay : span.begin + kDay;
  if (text.empty()) return span;
  const bool has_time = take(&text, 'T') && take_time_of_day(text, &span);
  return has_time ? std::optional(span) : std::nullopt;
}

TimeSpan day_span(i64 now, i64 days_ago, const TimeContext &context) {
  const i64 begin = midnight(now, days_ago, context);
  return {context.zone->utc_of(begin) * kSecond, context.zone->utc_of(begin + kDay) * kSecond};
}

// Returns the numbers of a date without a time of day, such as 03/11/2026 or 3.11.2026.
std::optional<std::array<std::string_view, 3>> numbers_of_date(std::string_view text) {
  const size_t first = std::min(text.find_first_of("/.-"), text.size());
  const size_t second = text.find(text.substr(first, 1), first + 1);
  if (first == text.size() || second == text.npos) return std::nullopt;
  const std::array numbers = {text.substr(0, first), text.substr(first + 1, second - first - 1),
                              text.substr(second + 1)};
  return std::ranges::all_of(numbers, is_digits) ? std::optional(numbers) : std::nullopt;
}

// Returns the day of a date, or else the second or the instant of a time.
TimeSpan span_of(i64 time, std::string_view text, const TimeContext &context) {
  if (!numbers_of_date(text)) return {time, time + (time % kSecond == 0 ? kSecond : 1)};
  return day_span(time, 0, context);
}

bool looks_like_time_of_day(std::string_view word) {
  const size_t colon = word.find(':');
  return colon != word.npos && word.find('-') == word.npos && is_digits(word.substr(0, colon)) &&
         colon <= 2 && word.find('.') == word.npos;
}

// True for a date whose parts are in another order, or have other separators.
bool looks_like_date(std::string_view word) {
  const auto numbers = numbers_of_date(word);
  const auto is_short = [](std::string_view number) { return number.size() <= 4; };
  return numbers && std::ranges::all_of(*numbers, is_short) &&
         (numbers->front().size() == 4 || numbers->back().size() == 4);
}

// Returns the error for a word that begins with a digit and has no meaning.
Status no_constant(std::string_view word) {
  if (looks_like_time_of_day(word)) {
    return Status::error(fmt::format(
        "{} is a time of day; with a date it is 2026-11-03T{}, and hour(time) is a number", word,
        word));
  }
  if (const size_t slash = word.find('/');
      slash != word.npos && address_key(word.substr(0, slash))) {
    return Status::error(fmt::format("{} is no network: after the slash are 0 to {} bits", word,
                                     word.find(':') == word.npos ? kBits4 : kBits6));
  }
  if (looks_like_date(word)) {
    return Status::error(
        fmt::format("{} is no date: write 2026-11-03, or put blanks around an operator", word));
  }
  if (word.find('-') != word.npos) {
    return Status::error(fmt::format(
        "{0} is no number: a minus between numbers has blanks around it; text: '{0}'", word));
  }
  return Status::error(
      fmt::format("{0} is no number, time, duration or address; text: '{0}'", word));
}

}  // namespace

bool is_relative_time(std::string_view word) {
  return word == "now" || word == "today" || word == "yesterday";
}

std::string literal_of_relative_time(std::string_view word, const TimeContext &context, i64 now) {
  if (word == "now") return utc_text(now);
  return utc_text(midnight(now, word == "yesterday", context) * kSecond).substr(0, 10);
}

std::optional<TimeSpan> read_time_span(std::string_view text, const TimeContext &context) {
  const std::optional<LocalSpan> local = read_local_span(text);
  if (!local) return std::nullopt;
  const auto utc = [&](i64 seconds) {
    return (local->offset ? seconds - *local->offset : context.zone->utc_of(seconds)) * kSecond;
  };
  if (local->nanoseconds == 0) return TimeSpan{utc(local->begin), utc(local->end)};
  const i64 begin = utc(local->begin) + local->nanosecond;
  return TimeSpan{begin, begin + local->nanoseconds};
}

Result<Constant> read_constant(std::string_view word, const TimeContext &context, i64 now) {
  if (word == "true" || word == "false") {
    return plain(ValueKind::truth, word == "true" ? "1" : "0");
  }
  if (word == "now") return time_constant({now, now}, word);
  if (is_relative_time(word)) {
    return time_constant(day_span(now, word == "yesterday", context), word);
  }
  if (const auto span = read_time_span(word, context)) return time_constant(*span, word);
  if (auto address = read_address_word(word)) return std::move(*address);
  if (auto number = read_number_word(word)) return std::move(*number);
  return no_constant(word);
}

std::optional<Constant> constant_of_kind(ValueKind kind, const std::string &text,
                                         const TimeContext &context) {
  switch (kind) {
    case ValueKind::time: {
      if (const auto span = read_time_span(text, context)) return time_constant(*span, text);
      const std::optional<i64> time = read_time(text, context);
      if (!time) return std::nullopt;
      return time_constant(span_of(*time, text, context), text);
    }
    case ValueKind::address: return read_address_word(text);
    case ValueKind::level: {
      const std::optional<i64> rank = level_rank(text);
      if (!rank) return std::nullopt;
      return plain(ValueKind::level, std::to_string(*rank));
    }
    case ValueKind::version: {
      const std::optional<std::string> key = version_key(text);
      return key ? std::optional(plain(kind, *key)) : std::nullopt;
    }
    case ValueKind::number: {
      Arena arena;
      if (!is_number(parse_any_number(text, &arena))) return std::nullopt;
      return plain(ValueKind::number, text);
    }
    default: return std::nullopt;
  }
}

Constant constant_by_look(const std::string &text, const TimeContext &context) {
  if (auto number = constant_of_kind(ValueKind::number, text, context)) return std::move(*number);
  const bool has_digit = std::ranges::any_of(text, is_digit);
  if (has_digit) {
    if (auto time = constant_of_kind(ValueKind::time, text, context)) return std::move(*time);
  }
  if (auto address = read_address_word(text)) return std::move(*address);
  return {.kind = ValueKind::text, .text = text, .pattern = text};
}

}  // namespace mrc
