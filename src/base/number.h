// Numbers of records: exact decimals, in one word each if they fit.
#pragma once

#include "base/arena.h"
#include "base/int.h"

#include <cstring>
#include <string>

namespace mrc {

// Returns the quotient, rounded down. REQUIRES: b > 0
MRC_INLINE i64 floor_divide(i64 a, i64 b) { return a / b - (a % b < 0); }

// A number in a column of values: digits * 10^-scale.
//   bits 0..4   the scale, 0 to 18, or kWideTag, or 31: not a number
//   bits 5..63  the digits, signed: 17 decimal digits fit
// If wide, bits 5..63 are the address of a WideNumber, which lives as long as the batch.
// Equal numbers may have different words (1.5 and 1.50): use compare_numbers().
using Number = u64;
inline constexpr u64 kWideTag = 30;
inline constexpr Number kNoNumber = 31;   // the field is missing, empty or "-"
inline constexpr Number kBadNumber = 63;  // the field is present but not a number
inline constexpr i64 kLargestScale = 18;  // of a narrow number

MRC_INLINE Number make_number(i64 digits, i64 scale) {
  return static_cast<u64>(digits) << 5 | static_cast<u64>(scale);
}
MRC_INLINE i64 scale_of(Number number) { return static_cast<i64>(number & 31); }
MRC_INLINE i64 digits_of(Number number) { return static_cast<i64>(number) >> 5; }
MRC_INLINE bool is_narrow(Number number) { return (number & 31) < kWideTag; }
MRC_INLINE bool is_number(Number number) { return (number & 31) <= kWideTag; }

// A number that does not fit in a word: up to 38 digits, or else the nearest double.
struct WideNumber {
  bool is_decimal;
  i64 scale;        // 0 to 38; decimals only
  __int128 digits;  // decimals only
  double value;     // doubles only
};
// REQUIRES: is_number(number) && !is_narrow(number)
MRC_INLINE const WideNumber &wide_number(Number number) {
  return *reinterpret_cast<const WideNumber *>(number >> 5);
}
// Makes the number that refers to `wide`, which must outlive it.
MRC_INLINE Number as_number(const WideNumber &wide) {
  return reinterpret_cast<u64>(&wide) << 5 | kWideTag;
}

// Copies `wide` into the arena and returns the number that refers to the copy.
Number keep_wide(const WideNumber &wide, Arena *arena);

// Parses [+-]digits[.digits][e[+-]digits] between optional blanks; the digits on one side of the
// point may be missing. Over-reads by kPadding. Infinities, NaN and values that overflow a double
// are not numbers. The common case is inlined and takes some 3 ns; see the end of this file.
MRC_INLINE Number parse_number(Bytes text, Arena *wide);

// Appends the shortest exact form: no exponent, no trailing zeros after the point. Appends nothing
// if the number is not one.
void append_number(Number number, std::string *out);
// Appends digits * 10^-scale in the same form. REQUIRES: 0 <= scale <= 38
void append_decimal(__int128 digits, i64 scale, std::string *out);

// REQUIRES: 0 <= exponent <= 38
__int128 power_of_ten(i64 exponent);

// REQUIRES, of the three functions below: is_number() for each argument

// Returns a value less than, equal to or greater than 0, as a compares to b. Decimals compare
// exactly, at any scale. Doubles (more than 38 digits) compare by value, and come after the
// decimals whose nearest double they are, so that the order is total.
int compare_numbers(Number a, Number b);
// Returns the nearest double.
double to_double(Number number);
// Converts a decimal, narrow or wide, of up to 38 digits; false if the number is a double.
bool to_decimal(Number number, __int128 *digits, i64 *scale);

// Returns digits * 10^-scale as a narrow number if that fits, perhaps after dropping trailing
// zeros, then as a wide decimal, and else as the nearest double. REQUIRES: |digits| < 10^38, 0 <=
// scale <= 38
Number decimal_number(__int128 digits, i64 scale, Arena *wide);

// The general case of parse_number(), out of line.
Number parse_any_number(Bytes text, Arena *wide);

// ---- Inline: digits eight at a time, in the bytes of a word.

namespace number_words {

inline constexpr u64 kBytes = 0x0101010101010101;  // times a byte: a word of eight such bytes

// Loads eight digits; '0' becomes 0.
MRC_INLINE u64 load_digits(const char *p) {
  u64 word;
  std::memcpy(&word, p, sizeof word);
  return word ^ kBytes * '0';
}
// Sets the high bit of each byte that is not a digit (0 to 9).
MRC_INLINE u64 other_bytes(u64 digits) {
  return (((digits & kBytes * 0x7F) + kBytes * 0x76) | digits) & kBytes * 0x80;
}
// Computes the value of eight digits, the first in the lowest byte: adds up pairs, then fours, then
// all.
MRC_INLINE i64 value_of(u64 digits) {
  digits = digits * 10 + (digits >> 8);
  constexpr u64 kPairs = 0x000000FF000000FF;
  return static_cast<i64>(((digits & kPairs) * (100 + (u64{1000000} << 32)) +
                           ((digits >> 16) & kPairs) * (1 + (u64{10000} << 32))) >>
                          32);
}

// If the only byte of `word` that is not a digit is a point, removes it: the bytes before it move
// up by one. `other` has the high bits of such bytes, `lowest` the index of its lowest bit. Word
// has 8 or 16 bytes, the last digit on top.
template <typename Word>
MRC_INLINE bool take_point(Word other, i64 lowest, Word *word, i64 *scale) {
  const i64 at = lowest - 7;  // the lowest bit of that byte
  if ((other & (other - 1)) != 0) return false;
  if (static_cast<u8>(*word >> at) != ('.' ^ '0')) return false;
  const Word before = (Word{1} << at) - 1;
  *scale = static_cast<i64>(sizeof(Word)) - 1 - at / 8;
  *word = (*word & before) << 8 | (*word & ~(before | Word{0xFF} << at));
  return true;
}

// Computes the value of the last four digits of a word whose other bytes are 0.
MRC_INLINE i64 value_of_four(u64 digits) {
  u64 four = digits >> 32;
  four = four * 10 + (four >> 8);
  return static_cast<i64>((four & 0xFF) * 100 + (four >> 16 & 0xFF));
}

// Parses 1 to 8 bytes; false unless they are digits with at most one point. Most measurements have
// one decimal place, and that case is cheaper than the general one.
MRC_INLINE bool parse_short(const char *p, u64 size, i64 *digits, i64 *scale) {
  constexpr u64 kPointBeforeLast = u64{0x80} << 48, kLast = u64{0xFF} << 56;
  u64 word = load_digits(p) << (64 - 8 * size);
  const u64 other = other_bytes(word);
  if (other == kPointBeforeLast && static_cast<u8>(word >> 48) == ('.' ^ '0')) {
    word = (word & kLast) | ((word & ((kPointBeforeLast >> 7) - 1)) << 8);
    *scale = 1;
  } else if (other != 0) {
    if (size < 2 || !take_point(other, std::countr_zero(other), &word, scale)) return false;
  }
  *digits = size <= 4 ? value_of_four(word) : value_of(word);
  return true;
}

// Parses 9 to 16 bytes.
MRC_INLINE bool parse_long(const char *p, u64 size, i64 *digits, i64 *scale) {
  using Word = unsigned __int128;
  u64 front = load_digits(p) << (128 - 8 * size), back = load_digits(p + size - 8);
  const u64 other_front = other_bytes(front), other_back = other_bytes(back);
  if ((other_front | other_back) != 0) {
    Word word = Word{back} << 64 | front;
    const i64 lowest =
        other_front != 0 ? std::countr_zero(other_front) : 64 + std::countr_zero(other_back);
    if (!take_point(Word{other_back} << 64 | other_front, lowest, &word, scale)) return false;
    front = static_cast<u64>(word);
    back = static_cast<u64>(word >> 64);
  }
  *digits = value_of(front) * 100000000 + value_of(back);
  return true;
}

}  // namespace number_words

// Parses numbers of up to 16 bytes without blanks, plus or exponent. If it returns false, the text
// may still be a number. There is no branch on the sign, which may be unpredictable.
MRC_INLINE bool parse_number_fast(Bytes text, Number *number) {
  if (text.size() - 1 > 15) return false;
  const u64 negative = text[0] == '-';
  const char *p = text.data() + negative;
  const u64 size = text.size() - negative;
  i64 digits = 0, scale = 0;
  if (size - 1 < 8) {
    if (!number_words::parse_short(p, size, &digits, &scale)) return false;
  } else if (size == 0) {
    return false;
  } else if (!number_words::parse_long(p, size, &digits, &scale)) {
    return false;
  }
  const i64 sign = -static_cast<i64>(negative);
  *number = make_number((digits ^ sign) - sign, scale);
  return true;
}

MRC_INLINE Number parse_number(Bytes text, Arena *wide) {
  Number number;
  if (parse_number_fast(text, &number)) [[likely]]
    return number;
  return parse_any_number(text, wide);
}

// Parses the numbers of one column, which are usually written alike.
//
// Finding the point is most of the cost of parsing a number, so a column remembers how many decimal
// places the last number had. Up to eight characters become a word whose last byte is the last
// character. An exclusive or with the expected point makes its byte 0. If any byte is then not a
// digit, the guess was wrong: one test covers everything.

// parse_number() out of line.
Number parse_longer_number(Bytes text, Arena *wide);

// Each column of each worker has one. Earlier numbers change only the speed.
class NumberColumn {
 public:
  // Does what parse_number() does. REQUIRES: text.data() is not null
  MRC_INLINE Number parse(Bytes text, Arena *wide) {
    using namespace number_words;
    const u64 negative = *text.data() == '-';
    const u64 more = text.size() - 1 - negative;  // number of characters minus 1
    if (more >= 8) return parse_longer_number(text, wide);
    // Shifts out the bytes past the end of the text.
    u64 word = load_digits(text.data() + negative) << (56 - 8 * more);
    if (!is_expected(word) && !expect_like(word)) return parse_longer_number(text, wide);
    word ^= point_;
    const u64 before = word & before_point_;
    word = (word ^ before) | before << 8;
    const i64 sign = -static_cast<i64>(negative);
    return make_number((value_of(word) ^ sign) - sign, 0) | scale_;
  }

 private:
  MRC_INLINE bool is_expected(u64 word) const {
    word ^= point_;
    return (((word + limits_) | word) & number_words::kBytes * 0x80) == 0;
  }

  // Expects the next point at the same place as in `word`; false if that is not digits with at most
  // one point.
  MRC_INLINE bool expect_like(u64 word) {
    using namespace number_words;
    const u64 other = other_bytes(word);
    const u64 byte = (other >> 7) * 0xFF;  // mask of the byte that is not a digit, if any
    if ((other & (other - 1)) != 0 || other == u64{0x80} << 56) return false;
    if (((word ^ kBytes * ('.' ^ '0')) & byte) != 0) return false;
    scale_ = other == 0 ? 0 : static_cast<u64>(std::countl_zero(other)) / 8;
    point_ = byte & kBytes * ('.' ^ '0');
    before_point_ = other == 0 ? 0 : (other >> 7) - 1;
    limits_ = kBytes * 0x76 | (byte & kBytes * 0x7F);
    return true;
  }

  u64 scale_ = 0;         // of the previous number
  u64 point_ = 0;         // makes the byte of the point 0 in a word of digits
  u64 before_point_ = 0;  // mask of the bytes before the point
  // Adding this carries any byte too large beyond 127: bytes above 9, or above 0 at the point.
  u64 limits_ = number_words::kBytes * 0x76;
};

}  // namespace mrc
