// The general case of numbers: any number of digits, exponents, and wide numbers.
//
// A number is read into up to 38 significant digits and a power of ten. Leading and trailing zeros
// are not significant, so 1e37, 1000.000 and 0.00001 are decimals like any other. Only a number
// with more digits, or with a power of ten out of range, is rounded to the nearest double.
#include "base/number.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>

namespace mrc {

namespace {

using Wide = unsigned __int128;

constexpr i64 kMostDigits = 38;  // 10^38 < 2^127

constexpr auto kPowers = [] {
  std::array<__int128, kMostDigits + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Significant digits as they are read: digits * 10^exponent, unless there were too many.
struct Digits {
  Wide value = 0;
  i64 count = 0;  // significant digits; 0 for zero
  i64 exponent = 0;
  i64 zeros = 0;  // trailing zeros so far, not yet in `value`
  bool too_many = false;

  void add(char c, bool fraction) {
    exponent -= fraction;
    if (c == '0') {
      zeros += count > 0;
      return;
    }
    count += zeros + 1;
    too_many = too_many || count > kMostDigits;
    if (!too_many) {
      value = value * static_cast<Wide>(power_of_ten(zeros + 1)) + static_cast<Wide>(c - '0');
    }
    zeros = 0;
  }
  // Moves trailing zeros into the exponent.
  void end() { exponent += zeros; }
};

// Reads digits with at most one point and moves *text past them; false if there are no digits.
bool read_digits(Bytes *text, Digits *digits) {
  bool any = false, fraction = false;
  for (; !text->empty(); text->remove_prefix(1)) {
    const char c = text->front();
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (is_digit(c)) {
      any = true;
      digits->add(c, fraction);
    } else {
      break;
    }
  }
  digits->end();
  return any;
}

// Reads an optional e[+-]digits. Clamps exponents far beyond those of doubles.
bool read_exponent(Bytes text, i64 *exponent) {
  if (text.empty()) return true;
  if ((text[0] | 0x20) != 'e') return false;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!is_digits(text)) return false;
  constexpr i64 kHuge = i64{1} << 40;
  i64 value = 0;
  for (char c : text) value = std::min(value * 10 + (c - '0'), kHuge);
  *exponent += negative ? -value : value;
  return true;
}

bool fits_narrow(__int128 digits, i64 scale) {
  constexpr i64 kLimit = i64{1} << 58;
  return digits < kLimit && digits > -kLimit && scale <= kLargestScale;
}

// Returns the nearest double; if it is out of range, `tiny` tells underflow from overflow.
Number nearest_double(Bytes text, bool tiny, Arena *wide) {
  double value = 0;
  const char *begin = text.data() + text.starts_with('+');
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    return tiny ? make_number(0, 0) : kBadNumber;
  }
  return value == 0 ? make_number(0, 0) : keep_wide({false, 0, 0, value}, wide);
}

// Writes |digits| to the end of `buffer` and returns the text.
constexpr size_t kDigitBuffer = 40;
Bytes decimal_digits(Wide digits, std::array<char, kDigitBuffer> *buffer) {
  char *at = buffer->data() + buffer->size();
  do {
    *--at = static_cast<char>('0' + static_cast<int>(digits % 10));
    digits /= 10;
  } while (digits != 0);
  return {at, static_cast<size_t>(buffer->data() + buffer->size() - at)};
}

int order(auto a, auto b) { return (a > b) - (a < b); }

// The whole part, rounded down, and the rest in units of 10^-38. Both fit in 128 bits at any scale;
// the digits of two numbers at a common scale may not.
struct Parts {
  __int128 whole, rest;
};
Parts parts_of(__int128 digits, i64 scale) {
  const __int128 unit = power_of_ten(scale);
  __int128 whole = digits / unit, rest = digits % unit;
  if (rest < 0) {
    rest += unit;
    --whole;
  }
  return {whole, rest * power_of_ten(kMostDigits - scale)};
}

// Appends an integer with the fewest digits that read back, followed by zeros: to_chars() without
// an exponent would write all digits of the double.
void append_large(double value, std::string *out) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::scientific);
  const Bytes text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  const size_t mark = text.find('e'), point = std::min(text.find('.'), mark);
  i64 exponent = 0;
  std::from_chars(text.data() + mark + 2, end, exponent);
  const Bytes decimals = text.substr(point, mark - point).substr(point < mark);
  out->append(text.substr(0, point)).append(decimals);
  out->append(static_cast<size_t>(exponent) - decimals.size(), '0');
}

void append_real(double value, std::string *out) {
  constexpr double kExact = i64{1} << 53;
  if (value > kExact || value < -kExact) return append_large(value, out);
  // The smallest double has 1,074 decimal places, but to_chars() writes only its zeros and 17
  // significant digits.
  std::array<char, 400> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  out->append(buffer.data(), end);
}

}  // namespace

__int128 power_of_ten(i64 exponent) { return kPowers[static_cast<size_t>(exponent)]; }

Number keep_wide(const WideNumber &number, Arena *arena) {
  constexpr u64 kAlign = alignof(WideNumber);
  auto place = reinterpret_cast<u64>(arena->alloc(sizeof(WideNumber) + kAlign));
  place = (place + kAlign - 1) & ~(kAlign - 1);
  new (reinterpret_cast<void *>(place)) WideNumber(number);
  return place << 5 | kWideTag;
}

Number decimal_number(__int128 digits, i64 scale, Arena *wide) {
  if (fits_narrow(digits, scale)) return make_number(static_cast<i64>(digits), scale);
  if (digits == 0) return make_number(0, 0);
  for (; scale > 0 && digits % 10 == 0; --scale) digits /= 10;
  if (fits_narrow(digits, scale)) return make_number(static_cast<i64>(digits), scale);
  return keep_wide({true, scale, digits, 0}, wide);
}

Number parse_any_number(Bytes text, Arena *wide) {
  const Bytes trimmed = without_spaces_around(text);
  if (trimmed.empty() || trimmed == "-") return kNoNumber;
  Bytes left = trimmed;
  const bool negative = left.front() == '-';
  if (negative || left.front() == '+') left.remove_prefix(1);
  Digits digits;
  if (!read_digits(&left, &digits) || !read_exponent(left, &digits.exponent)) return kBadNumber;
  if (digits.count == 0) return make_number(0, 0);
  const i64 scale = std::max<i64>(-digits.exponent, 0);
  const i64 size = digits.count + std::max<i64>(digits.exponent, 0);
  if (digits.too_many || size > kMostDigits || scale > kMostDigits) {
    return nearest_double(trimmed, digits.count + digits.exponent <= 0, wide);
  }
  auto value = static_cast<__int128>(digits.value);
  if (digits.exponent > 0) value *= power_of_ten(digits.exponent);
  return decimal_number(negative ? -value : value, scale, wide);
}

bool to_decimal(Number number, __int128 *digits, i64 *scale) {
  if (is_narrow(number)) {
    *digits = digits_of(number);
    *scale = scale_of(number);
    return true;
  }
  const WideNumber &wide = wide_number(number);
  *digits = wide.digits;
  *scale = wide.scale;
  return wide.is_decimal;
}

namespace {

// Removes zeros at the end of the fraction.
template <typename Integer>
void strip_zeros(Integer *digits, i64 *scale) {
  if (*digits == 0) *scale = 0;
  for (; *scale > 0 && *digits % 10 == 0; --*scale) *digits /= 10;
}

void append_digits(Bytes digits, i64 scale, std::string *out) {
  const auto places = static_cast<size_t>(scale);
  if (places == 0) {
    out->append(digits);
  } else if (digits.size() > places) {
    out->append(digits.substr(0, digits.size() - places)).append(".");
    out->append(digits.substr(digits.size() - places));
  } else {
    out->append("0.").append(places - digits.size(), '0').append(digits);
  }
}

}  // namespace

void append_decimal(__int128 number, i64 scale, std::string *out) {
  if (number < 0) out->push_back('-');
  Wide magnitude = number < 0 ? -static_cast<Wide>(number) : static_cast<Wide>(number);
  if (magnitude <= UINT64_MAX) [[likely]] {  // a division of 128 bits is a call
    u64 digits = static_cast<u64>(magnitude);
    strip_zeros(&digits, &scale);
    const fmt::format_int text(digits);
    return append_digits({text.data(), text.size()}, scale, out);
  }
  strip_zeros(&magnitude, &scale);
  std::array<char, kDigitBuffer> buffer;
  append_digits(decimal_digits(magnitude, &buffer), scale, out);
}

void append_number(Number number, std::string *out) {
  if (!is_number(number)) return;
  __int128 digits;
  i64 scale;
  if (to_decimal(number, &digits, &scale)) return append_decimal(digits, scale, out);
  append_real(wide_number(number).value, out);
}

double to_double(Number number) {
  __int128 digits;
  i64 scale;
  if (!to_decimal(number, &digits, &scale)) return wide_number(number).value;
  // Both operands are exact, so their quotient is the nearest double.
  constexpr i64 kExact = i64{1} << 53;
  if (digits <= kExact && digits >= -kExact && scale <= 22) {
    return static_cast<double>(digits) / static_cast<double>(power_of_ten(scale));
  }
  std::string text;
  append_decimal(digits, scale, &text);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

int compare_numbers(Number a, Number b) {
  if (is_narrow(a) && is_narrow(b) && scale_of(a) == scale_of(b)) {
    return order(digits_of(a), digits_of(b));
  }
  __int128 digits_a, digits_b;
  i64 scale_a, scale_b;
  const bool decimal_a = to_decimal(a, &digits_a, &scale_a);
  const bool decimal_b = to_decimal(b, &digits_b, &scale_b);
  if (decimal_a && decimal_b) {
    const Parts x = parts_of(digits_a, scale_a), y = parts_of(digits_b, scale_b);
    return x.whole != y.whole ? order(x.whole, y.whole) : order(x.rest, y.rest);
  }
  const int by_value = order(to_double(a), to_double(b));
  return by_value != 0 ? by_value : static_cast<int>(decimal_b) - static_cast<int>(decimal_a);
}

__attribute__((noinline)) Number parse_longer_number(Bytes text, Arena *wide) {
  return parse_number(text, wide);
}

}  // namespace mrc
