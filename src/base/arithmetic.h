// Arithmetic on the numbers of records (number.h), exact wherever decimals are.
//
// A result is the exact decimal if that has up to 38 digits and up to 38 decimal places, and
// otherwise the nearest double. If an operand is kNoNumber, so is the result. An operation without
// a result (a quotient by 0, overflow of a double) yields kBadNumber. Wide results live in the
// arena.
#pragma once

#include "base/number.h"

#include <array>

namespace mrc {

// The general case of the three operations below, out of line.
Number add_wide(Number a, Number b, Arena *arena);
Number subtract_wide(Number a, Number b, Arena *arena);
Number multiply_wide(Number a, Number b, Arena *arena);

inline constexpr auto kPowersOfTen = [] {
  std::array<i64, kLargestScale + 1> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// The digits of two numbers at the larger of their scales. align_digits() returns false if these do
// not fit in words.
struct AlignedDigits {
  i64 a, b, scale;
};
MRC_INLINE bool align_digits(Number a, Number b, AlignedDigits *digits) {
  if (!is_narrow(a) || !is_narrow(b)) [[unlikely]]
    return false;
  *digits = {digits_of(a), digits_of(b), scale_of(a)};
  const i64 more = scale_of(b) - scale_of(a);
  if (more == 0) [[likely]]
    return true;
  if (more < 0) {
    return !__builtin_mul_overflow(digits->b, kPowersOfTen[static_cast<size_t>(-more)], &digits->b);
  }
  digits->scale = scale_of(b);
  return !__builtin_mul_overflow(digits->a, kPowersOfTen[static_cast<size_t>(more)], &digits->a);
}
// Makes a narrow number if the digits fit in one, and a wide one otherwise.
MRC_INLINE Number narrow_or_wide(i64 digits, i64 scale, Arena *arena) {
  constexpr i64 kLimit = i64{1} << 58;
  if (digits < kLimit && digits > -kLimit) [[likely]]
    return make_number(digits, scale);
  return decimal_number(digits, scale, arena);
}

MRC_INLINE Number add(Number a, Number b, Arena *arena) {
  AlignedDigits digits;
  i64 sum;
  if (!align_digits(a, b, &digits) || __builtin_add_overflow(digits.a, digits.b, &sum)) [[unlikely]]
    return add_wide(a, b, arena);
  return narrow_or_wide(sum, digits.scale, arena);
}
MRC_INLINE Number subtract(Number a, Number b, Arena *arena) {
  AlignedDigits digits;
  i64 difference;
  if (!align_digits(a, b, &digits) || __builtin_sub_overflow(digits.a, digits.b, &difference))
      [[unlikely]]
    return subtract_wide(a, b, arena);
  return narrow_or_wide(difference, digits.scale, arena);
}
MRC_INLINE Number multiply(Number a, Number b, Arena *arena) {
  const i64 scale = scale_of(a) + scale_of(b);
  i64 digits;
  if (!is_narrow(a) || !is_narrow(b) || scale > kLargestScale ||
      __builtin_mul_overflow(digits_of(a), digits_of(b), &digits)) [[unlikely]]
    return multiply_wide(a, b, arena);
  return narrow_or_wide(digits, scale, arena);
}

// Does what compare_numbers() does, without a call for narrow numbers.
MRC_INLINE int order_of_numbers(Number a, Number b) {
  if (!is_narrow(a) || !is_narrow(b)) [[unlikely]]
    return compare_numbers(a, b);
  const i64 more = scale_of(b) - scale_of(a);
  const __int128 x =
      static_cast<__int128>(digits_of(a)) * kPowersOfTen[more > 0 ? static_cast<size_t>(more) : 0];
  const __int128 y =
      static_cast<__int128>(digits_of(b)) * kPowersOfTen[more < 0 ? static_cast<size_t>(-more) : 0];
  return (x > y) - (x < y);
}

Number divide(Number a, Number b, Arena *arena);
// Returns a - b * floor(a / b), which has the sign of b.
Number modulo(Number a, Number b, Arena *arena);
Number negate(Number a, Arena *arena);
Number absolute(Number a, Arena *arena);

// Rounds to `places` decimal places, -18 to 18. `nearest` rounds a half up.
enum class Rounding { down, up, nearest };
Number rounded(Number a, i64 places, Rounding how, Arena *arena);

// Returns true, and sets *value, if the number is whole.
bool is_whole(Number number, __int128 *value);

// Converts a double; kBadNumber if it is infinite or NaN.
Number number_of(double value, Arena *arena);

}  // namespace mrc
