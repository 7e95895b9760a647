#include "kinds/units.h"

#include "base/arithmetic.h"
#include "base/number.h"
#include "base/text.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace mrc {
namespace {

struct Unit {
  std::string_view name;
  std::string_view factor;  // in digits
};
constexpr Unit kDurations[] = {{"ns", "0.000000001"}, {"us", "0.000001"}, {"\xC2\xB5s", "0.000001"},
                               {"ms", "0.001"},       {"s", "1"},         {"m", "60"},
                               {"h", "3600"},         {"d", "86400"},     {"w", "604800"}};
constexpr Unit kSizes[] = {{"", "1"},
                           {"k", "1000"},
                           {"m", "1000000"},
                           {"g", "1000000000"},
                           {"t", "1000000000000"},
                           {"p", "1000000000000000"},
                           {"e", "1000000000000000000"},
                           {"ki", "1024"},
                           {"mi", "1048576"},
                           {"gi", "1073741824"},
                           {"ti", "1099511627776"},
                           {"pi", "1125899906842624"},
                           {"ei", "1152921504606846976"}};

bool is_of_number(char c) { return is_digit(c) || c == '.'; }

// True for digits with or without a fraction, but not for .5 and 5.
bool is_plain_number(Bytes text) {
  const size_t point = std::min(text.find('.'), text.size());
  return is_digits(text.substr(0, point)) &&
         (point == text.size() || is_digits(text.substr(point + 1)));
}

// Returns the exact product of the number and its unit; kBadNumber if either is invalid.
Number times_unit(Bytes number, Bytes unit, std::span<const Unit> units, Arena *arena) {
  const auto found = std::ranges::find(units, unit, &Unit::name);
  if (found == units.end() || !is_plain_number(number)) return kBadNumber;
  return multiply(parse_any_number(number, arena), parse_any_number(found->factor, arena), arena);
}

std::string digits_of_number(Number number) {
  std::string digits;
  append_number(number, &digits);
  return digits;
}

// Takes the leading bytes that belong to a number, or those that do not.
Bytes take(bool of_number, Bytes *text) {
  const auto *end =
      std::ranges::find_if(*text, [&](char c) { return is_of_number(c) != of_number; });
  const Bytes piece = text->substr(0, static_cast<size_t>(end - text->begin()));
  text->remove_prefix(piece.size());
  return piece;
}

}  // namespace

std::optional<std::string> read_duration(Bytes text) {
  Arena arena;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Number sum = make_number(0, 0);
  do {
    const Bytes number = take(true, &text), unit = without_blanks_around(take(false, &text));
    const Number seconds = times_unit(number, unit, kDurations, &arena);
    if (seconds == kBadNumber) return std::nullopt;
    sum = add(sum, seconds, &arena);
  } while (!text.empty());
  if (negative) sum = subtract(make_number(0, 0), sum, &arena);
  return digits_of_number(sum);
}

std::optional<std::string> read_unit_size(Bytes text) {
  Arena arena;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const Bytes number = take(true, &text);
  std::string unit(without_blanks_around(text));
  for (char &c : unit) c = is_letter(c) ? static_cast<char>(c | 0x20) : c;
  if (unit.ends_with('b')) unit.pop_back();
  Number size = times_unit(number, unit, kSizes, &arena);
  if (size == kBadNumber) return std::nullopt;
  if (negative) size = subtract(make_number(0, 0), size, &arena);
  return digits_of_number(size);
}

}  // namespace mrc
