#include "expr/inner/constant.h"

#include "base/make_error.h"
#include "base/number.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "kinds/level.h"
#include "kinds/timestamp.h"
#include "kinds/units.h"
#include "kinds/version.h"
#include "kinds/zone_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

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
  const std::optional<AddressKey> key = address_key(word);
  const auto range = key ? std::optional(AddressRange{*key, *key}) : AddressRange::of_prefix(word);
  if (!range) return std::nullopt;
  return Constant{.kind = ValueKind::address, .text = std::string(word), .range = *range};
}

Constant time_constant(TimeSpan span, std::string_view text) {
  return {.kind = ValueKind::time, .text = std::string(text), .span = span};
}

// Returns the time from the beginning of a day on clocks to the beginning of another one.
TimeSpan span_of_days(i64 begin, i64 end, const TimeContext &context) {
  return {context.zone->utc_of(begin) * kSecond, context.zone->utc_of(end) * kSecond};
}
TimeSpan day_span(i64 now, i64 days_ago, const TimeContext &context) {
  const i64 begin = midnight(now, days_ago, context);
  return span_of_days(begin, begin + kDay, context);
}
TimeSpan month_span(i64 begin, const TimeContext &context) {
  using namespace std::chrono;
  const year_month_day first = sys_days(days(begin / kDay));
  const sys_days next = (first.year() / first.month() + months(1)) / 1;
  return span_of_days(begin, i64{next.time_since_epoch().count()} * kDay, context);
}

// Takes the fraction of a second after the point, and returns the length of its last place in
// nanoseconds; 0 if there are no digits or too many.
i64 take_fraction(std::string_view *text) {
  const size_t end = std::min(text->find_first_not_of("0123456789", 1), text->size());
  i64 length = end == 1 ? 0 : kSecond;
  for (size_t i = 1; i < end; ++i) length /= 10;
  text->remove_prefix(end);
  return length;
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

// Returns the duration that a word with a unit of another program means; empty: none.
std::string with_our_unit(std::string_view word) {
  struct Unit {
    std::string_view words, ours;
    i64 days = 0;  // not 0: the unit is as many days
  };
  constexpr Unit kUnits[] = {{" min mins minute minutes ", "m"}, {" sec secs second seconds ", "s"},
                             {" hr hrs hour hours ", "h"},       {" day days ", "d"},
                             {" msec msecs millis ", "ms"},      {" y yr year years ", "", 365},
                             {" mo mon month months ", "", 30}};
  constexpr i64 kMostUnits = 10'000;
  const size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  const std::string sought = fmt::format(" {} ", word.substr(digits));
  const auto *unit = std::ranges::find_if(
      kUnits, [&](const Unit &each) { return each.words.find(sought) != each.words.npos; });
  if (unit == std::end(kUnits)) return "";
  i64 count = 0;
  if (unit->days == 0) return fmt::format("{}{}", word.substr(0, digits), unit->ours);
  const bool is_whole = read_number(word.substr(0, digits), &count) && count < kMostUnits;
  return is_whole ? fmt::format("{}d", count * unit->days) : "in days, such as 365d";
}

// Returns the error for a word that begins with a digit and has no meaning.
Status no_constant(std::string_view word) {
  if (looks_like_time_of_day(word)) {
    return make_error(
        "{} is a time of day; with a date it is 2026-11-03T{}, and hour(time) is a number", word,
        word);
  }
  if (const size_t slash = word.find('/');
      slash != word.npos && address_key(word.substr(0, slash))) {
    return make_error("{} is no network: after the slash are 0 to {} bits", word,
                      word.find(':') == word.npos ? kBits4 : kBits6);
  }
  if (looks_like_date(word)) {
    return make_error("{} is no date: write 2026-11-03, or put blanks around an operator", word);
  }
  if (const size_t minus = word.find('-'); minus != word.npos) {
    const std::string_view from = word.substr(0, minus), to = word.substr(minus + 1);
    i64 least = 0, most = 0;
    const bool is_range = read_number(from, &least) && read_number(to, &most) && least < most;
    return make_error(
        "{0} is no number: a minus between numbers has blanks around it{1}; text: "
        "'{0}'",
        word, is_range ? fmt::format(", and a range is x between {} and {}", from, to) : "");
  }
  if (word.size() == 3 && is_digit(word[0]) && (word.ends_with("xx") || word.ends_with("XX"))) {
    return make_error("{0} is no number; {1}00 to {1}99 are x between {1}00 and {1}99; text: '{0}'",
                      word, word[0]);
  }
  if (const std::string ours = with_our_unit(word); !ours.empty()) {
    return make_error("{} is no duration; here it is {}", word, ours);
  }
  return make_error("{0} is no number, time, duration or address; text: '{0}'", word);
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
  std::string shape(text);
  std::ranges::replace_if(shape, is_digit, '0');
  constexpr std::string_view kDate = "0000-00-00", kMinute = "0000-00-00T00:00", kSeconds = ":00";
  const std::optional<Timestamp> time = read_timestamp(text);
  if (!time) return std::nullopt;
  if (shape == "0000-00") return month_span(time->local, context);
  if (shape == kDate) return span_of_days(time->local, time->local + kDay, context);
  if (!shape.starts_with(kMinute)) return std::nullopt;
  std::string_view rest = text.substr(kMinute.size());
  i64 length = 60 * kSecond, offset = 0;
  if (shape.substr(kMinute.size()).starts_with(kSeconds)) {
    if (rest[1] == '6') return std::nullopt;  // second 60 is of the next minute
    rest.remove_prefix(kSeconds.size());
    length = rest.starts_with('.') ? take_fraction(&rest) : kSecond;
  }
  if (length == 0 || !(rest.empty() || rest == "Z" || parse_offset(rest, &offset))) {
    return std::nullopt;
  }
  const std::optional<i64> begin = read_time(text, context);
  return begin ? std::optional(TimeSpan{*begin, *begin + length}) : std::nullopt;
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
      return rank ? std::optional(plain(kind, std::to_string(*rank))) : std::nullopt;
    }
    case ValueKind::version: {
      const std::optional<std::string> key = version_key(text);
      return key ? std::optional(plain(kind, *key)) : std::nullopt;
    }
    case ValueKind::number: {
      Arena arena;
      const bool is_one = is_number(parse_any_number(text, &arena));
      return is_one ? std::optional(plain(kind, text)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

Constant constant_by_look(const std::string &text, const TimeContext &context) {
  for (const ValueKind kind : {ValueKind::number, ValueKind::time, ValueKind::address}) {
    if (kind == ValueKind::time && std::ranges::none_of(text, is_digit)) continue;
    if (auto constant = constant_of_kind(kind, text, context)) return std::move(*constant);
  }
  return {.kind = ValueKind::text, .text = text, .pattern = text};
}

}  // namespace mrc
