// Common cases use integers of 64 or 128 bits. All others use fractions of any size and round only
// the result.
#include "base/arithmetic.h"

#include "base/fraction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

namespace mrc {
namespace {

constexpr i64 kMostPlaces = 38;

// Returns the decimal that a double is printed as: what is computed from it agrees with that.
mpq_class fraction_of(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific);
  std::string digits(text.begin(), std::find(text.begin(), end.ptr, 'e'));
  i64 exponent = 0;
  const char *at = text.data() + digits.size() + 1;
  std::from_chars(at + (*at == '+'), end.ptr, exponent);
  if (const size_t point = digits.find('.'); point != digits.npos) {
    exponent -= std::ssize(digits) - static_cast<i64>(point) - 1;
    digits.erase(point, 1);
  }
  const mpz_class scale = power(10, std::abs(exponent));
  const mpz_class whole(digits);
  mpq_class fraction = exponent < 0 ? mpq_class(whole, scale) : mpq_class(whole * scale);
  fraction.canonicalize();
  return fraction;
}

// REQUIRES: is_number(number)
mpq_class fraction_of(Number number) {
  __int128 digits;
  i64 scale;
  if (!to_decimal(number, &digits, &scale)) return fraction_of(wide_number(number).value);
  mpq_class fraction(to_mpz(digits), power(10, scale));
  fraction.canonicalize();
  return fraction;
}

// Divides *number by the prime as often as that is possible, and returns how often.
i64 take_factor(unsigned long prime, mpz_class *number) {
  const mpz_class factor(prime);
  mpz_class rest;
  const size_t times = mpz_remove(rest.get_mpz_t(), number->get_mpz_t(), factor.get_mpz_t());
  *number = rest;
  return static_cast<i64>(times);
}

__int128 to_int128(const mpz_class &number) {
  u64 words[2] = {0, 0};
  mpz_export(words, nullptr, -1, sizeof(u64), 0, 0, number.get_mpz_t());
  const auto magnitude = static_cast<__int128>(static_cast<unsigned __int128>(words[1]) << 64 |
                                               static_cast<unsigned __int128>(words[0]));
  return number < 0 ? -magnitude : magnitude;
}

// Returns the exact decimal, or the nearest double. REQUIRES: the fraction is canonical
Number number_of(const mpq_class &fraction, Arena *arena) {
  static const mpz_class kEnd = power(10, kMostPlaces);
  mpz_class left = fraction.get_den();
  const i64 scale = std::max(take_factor(2, &left), take_factor(5, &left));
  if (left == 1 && scale <= kMostPlaces) {
    const mpz_class digits = fraction.get_num() * power(10, scale) / fraction.get_den();
    if (abs(digits) < kEnd) return decimal_number(to_int128(digits), scale, arena);
  }
  return mrc::number_of(nearest_quotient(fraction.get_num(), fraction.get_den()), arena);
}

// Applies `compute` to two numbers as fractions.
template <typename Compute>
Number by_fractions(Number a, Number b, Arena *arena, Compute compute) {
  if (!is_number(a) || !is_number(b)) return kNoNumber;
  mpq_class result = compute(fraction_of(a), fraction_of(b));
  result.canonicalize();
  return number_of(result, arena);
}

// Decimals at a common scale. align() returns false if one of them is wide.
struct Aligned {
  __int128 a, b;
  i64 scale;
};
bool align(Number a, Number b, Aligned *aligned) {
  if (!is_narrow(a) || !is_narrow(b)) return false;
  aligned->scale = std::max(scale_of(a), scale_of(b));
  aligned->a = digits_of(a) * power_of_ten(aligned->scale - scale_of(a));
  aligned->b = digits_of(b) * power_of_ten(aligned->scale - scale_of(b));
  return true;  // 59 bits and 18 decimal places: 119 bits
}

// Returns the quotient of integers if it is a finite decimal of at most kLargestScale places. That
// is so if the divisor, without its factors 2 and 5, divides the dividend; these factors become
// decimal places. If the quotient is finite but has too many places, returns false and sets *ends.
bool divide_exactly(i64 a, i64 b, __int128 *digits, i64 *places, bool *ends) {
  if (b < 0) a = -a, b = -b;
  const int twos = std::countr_zero(static_cast<u64>(b));
  i64 fives = 0, left = b >> twos;
  for (; left % 5 == 0; ++fives) left /= 5;
  *ends = a % left == 0;
  if (!*ends) return false;
  *places = std::max<i64>(twos, fives);
  if (*places > kLargestScale) return false;
  __int128 factor = 1;
  for (i64 i = fives; i < *places; ++i) factor *= 5;
  for (i64 i = twos; i < *places; ++i) factor *= 2;
  *digits = a / left * factor;
  return true;
}

// Rounds the quotient down.
__int128 floor_of(__int128 a, __int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

mpz_class floor_of(const mpq_class &fraction) {
  return floor_quotient(fraction.get_num(), fraction.get_den());
}

mpq_class in_units(const mpq_class &value, i64 places) {
  const mpq_class unit(power(10, std::abs(places)));
  return places >= 0 ? mpq_class(value * unit) : mpq_class(value / unit);
}

}  // namespace

// Returns the decimal that the double is printed as: what is computed from a result or compared
// with it then agrees with what is printed. Keeps a double that is too small or too large for a
// decimal.
Number shortest_decimal(double value, Arena *arena) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific);
  i64 digits = 0, places = 0, exponent = 0;
  const char *at = text.data() + (value < 0);
  for (bool after_point = false; *at != 'e'; ++at) {
    if (*at == '.') {
      after_point = true;
    } else {
      digits = digits * 10 + (*at - '0');
      places += after_point;
    }
  }
  at += at[1] == '+' ? 2 : 1;
  std::from_chars(at, end.ptr, exponent);
  const i64 scale = places - exponent;
  if (scale >= 0 && scale <= kLargestScale) [[likely]]
    // Shortest digits of a double: at most 17.
    return make_number(value < 0 ? -digits : digits, scale);
  constexpr i64 kMostScale = 38, kMostZeros = 20;
  if (scale > kMostScale || -scale > kMostZeros) return keep_wide({false, 0, 0, value}, arena);
  const __int128 all = static_cast<__int128>(digits) * power_of_ten(std::max<i64>(-scale, 0));
  return decimal_number(value < 0 ? -all : all, std::max<i64>(scale, 0), arena);
}

Number number_of(double value, Arena *arena) {
  if (!std::isfinite(value)) return kBadNumber;
  if (value == 0) return make_number(0, 0);
  constexpr double kWhole = i64{1} << 53;
  if (value == std::trunc(value) && std::abs(value) <= kWhole) {
    return make_number(static_cast<i64>(value), 0);
  }
  return shortest_decimal(value, arena);
}

Number add_wide(Number a, Number b, Arena *arena) {
  Aligned both;
  if (align(a, b, &both)) return decimal_number(both.a + both.b, both.scale, arena);
  return by_fractions(a, b, arena, [](auto x, auto y) { return mpq_class(x + y); });
}

Number subtract_wide(Number a, Number b, Arena *arena) {
  Aligned both;
  if (align(a, b, &both)) return decimal_number(both.a - both.b, both.scale, arena);
  return by_fractions(a, b, arena, [](auto x, auto y) { return mpq_class(x - y); });
}

Number multiply_wide(Number a, Number b, Arena *arena) {
  if (is_narrow(a) && is_narrow(b)) {
    const __int128 digits = static_cast<__int128>(digits_of(a)) * digits_of(b);
    return decimal_number(digits, scale_of(a) + scale_of(b), arena);
  }
  return by_fractions(a, b, arena, [](auto x, auto y) { return mpq_class(x * y); });
}

Number divide(Number a, Number b, Arena *arena) {
  if (!is_number(a) || !is_number(b)) return kNoNumber;
  if (is_narrow(a) && is_narrow(b) && digits_of(b) != 0) [[likely]] {
    __int128 digits;
    i64 places;
    bool ends = false;
    if (divide_exactly(digits_of(a), digits_of(b), &digits, &places, &ends)) {
      const i64 scale = scale_of(a) - scale_of(b) + places;
      if (scale >= 0) return decimal_number(digits, scale, arena);
    } else if (AlignedDigits both; !ends && align_digits(a, b, &both)) {
      constexpr i64 kExact = i64{1} << 53;  // doubles hold such integers exactly
      const bool are_exact = std::abs(both.a) <= kExact && std::abs(both.b) <= kExact;
      const double quotient = static_cast<double>(both.a) / static_cast<double>(both.b);
      if (are_exact) return number_of(quotient, arena);
    }
  }
  if (compare_numbers(b, make_number(0, 0)) == 0) return kBadNumber;
  return by_fractions(a, b, arena, [](auto x, auto y) { return mpq_class(x / y); });
}

Number modulo(Number a, Number b, Arena *arena) {
  if (!is_number(a) || !is_number(b)) return kNoNumber;
  if (compare_numbers(b, make_number(0, 0)) == 0) return kBadNumber;
  if (Aligned both; align(a, b, &both)) {
    return decimal_number(both.a - floor_of(both.a, both.b) * both.b, both.scale, arena);
  }
  return by_fractions(a, b, arena, [](const mpq_class &x, const mpq_class &y) {
    mpq_class quotient(x / y);
    quotient.canonicalize();
    return mpq_class(x - y * floor_of(quotient));
  });
}

Number negate(Number a, Arena *arena) { return subtract(make_number(0, 0), a, arena); }

Number absolute(Number a, Arena *arena) {
  if (is_narrow(a)) return make_number(std::abs(digits_of(a)), scale_of(a));
  return is_number(a) && compare_numbers(a, make_number(0, 0)) < 0 ? negate(a, arena) : a;
}

Number rounded(Number a, i64 places, Rounding how, Arena *arena) {
  if (!is_number(a)) return kNoNumber;
  if (is_narrow(a) && scale_of(a) <= places) return a;
  if (is_narrow(a) && places >= 0) {
    const i64 unit = static_cast<i64>(power_of_ten(scale_of(a) - places));
    const i64 add = how == Rounding::down ? 0 : how == Rounding::up ? unit - 1 : unit / 2;
    return make_number(floor_divide(digits_of(a) + add, unit), places);
  }
  mpq_class units = in_units(fraction_of(a), places);
  units.canonicalize();
  if (how == Rounding::nearest) units += mpq_class(1, 2);
  const mpz_class whole = how == Rounding::up ? mpz_class(-floor_of(-units)) : floor_of(units);
  mpq_class result = in_units(mpq_class(whole), -places);
  result.canonicalize();
  return number_of(result, arena);
}

bool is_whole(Number number, __int128 *value) {
  i64 scale;
  if (!is_number(number) || !to_decimal(number, value, &scale)) return false;
  if (*value % power_of_ten(scale) != 0) return false;
  *value /= power_of_ten(scale);
  return true;
}

}  // namespace mrc
