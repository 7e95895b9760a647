// Numbers of records: exact decimals, in one word each as far as they fit.
#pragma once

#include "base/arena.h"
#include "base/int.h"

#include <string>

namespace mrc {

// A number as a column of values has it: digits * 10^-scale.
//   bits 0..4   the scale, 0 to 18, or kWide, or kNone
//   bits 5..63  the digits, signed: 17 of them fit
// Wide: bits 5..63 are the address of a WideNumber, which lives as long as the batch.
using Number = u64;
inline constexpr u64 kWideTag = 30;
inline constexpr Number kNoNumber = 31;   // the field is missing, empty or "-"
inline constexpr Number kBadNumber = 63;  // there is something, and it is no number

MRC_INLINE Number make_number(i64 digits, i64 scale) {
  return static_cast<u64>(digits) << 5 | static_cast<u64>(scale);
}
MRC_INLINE i64 scale_of(Number number) { return static_cast<i64>(number & 31); }
MRC_INLINE i64 digits_of(Number number) { return static_cast<i64>(number) >> 5; }
MRC_INLINE bool is_narrow(Number number) { return (number & 31) < kWideTag; }

// What does not fit in a word: up to 38 digits, or else the nearest double.
struct WideNumber {
  bool is_decimal;
  i64 scale;        // of a decimal, 0 to 38
  __int128 digits;  // of a decimal
  double value;     // of what is none
};

// [+-]digits[.digits][e[+-]digits], blanks around it aside. Over-reads by kPadding.
// Infinities and NaN are no numbers.
Number parse_number(Bytes text, Arena *wide);

// Shortest exact form: no exponent, no zeros behind that do not count.
void append_number(Number number, std::string *out);

}  // namespace mrc
