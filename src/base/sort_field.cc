// Normalised keys, as databases have them (Graefe, Implementing Sorting in Database Systems, 2006):
// the work of comparing two fields is done once for each record, and not once for each comparison.
//
// Bytes
// -----
// The bytes, then the terminator 00, which is less than any continuation: "a" < "ab" < "b". Bytes
// 00 and 01 become 01 01 and 01 02, which keeps their order and reserves 00 for the terminator.
// They are rare in text, so the encoder looks for them first, in a loop that compilers vectorise,
// and seldom has to copy byte by byte.
//
// Numbers
// -------
// A number that is not 0 is 0.DDDD * 10^L, where L is the number of digits before the point,
// without leading zeros, and DDDD are all its digits, without trailing zeros:
//
//     1, 1.0, 01    L = 1   1          0.5    L = 0   5
//     12.5          L = 2   125        1000   L = 4   1
//
// The number with more digits before the point is greater. If L is equal, the first digit that
// differs decides, and a number whose digits end is less than one with more.
//
//     L below 100:  81 + L
//     else:         F0 + n, then L in n bytes, the first of them not 0, big-endian
//     0:            80
//
// Two digits follow in each byte: twice their value, plus 1 if more follow. The first even byte
// ends the key. "12.5" is 83 19 64: three bytes, and the same for "12.50".
//
// A negative number is the complement of the key of its absolute value, so its first
// byte is below 80; descending fields are complemented as a whole. The complement
// reverses an order by memcmp among keys where none is the prefix of another.
#include "base/sort_field.h"

#include "base/case_fold.h"
#include "base/text.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr u8 kTerminator = 0x00, kEscape = 0x01;
constexpr u8 kZero = 0x80, kPositive = 0x81, kLongNumber = 0xF0;
constexpr i64 kLongDigits = 100;

void push(u8 byte, std::string *out) { out->push_back(static_cast<char>(byte)); }

void complement(size_t from, std::string *out) {
  for (size_t i = from; i < out->size(); ++i) (*out)[i] = static_cast<char>(~(*out)[i]);
}

bool has_escapes(Bytes value) {
  bool found = false;
  for (char c : value) found |= static_cast<u8>(c) <= kEscape;
  return found;
}

void append_bytes(Bytes value, std::string *out) {
  if (!has_escapes(value)) [[likely]] {
    out->append(value);
  } else {
    for (char c : value) {
      const u8 byte = static_cast<u8>(c);
      if (byte <= kEscape) push(kEscape, out);
      push(byte <= kEscape ? static_cast<u8>(byte + 1) : byte, out);
    }
  }
  push(kTerminator, out);
}

void to_upper(size_t from, std::string *out) {
  for (size_t i = from; i < out->size(); ++i) {
    const char c = (*out)[i];
    (*out)[i] = c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c;
  }
}

// A written number without leading and trailing zeros.
struct Decimal {
  bool negative = false;
  Bytes whole;
  Bytes fraction;
};

// Removes and returns the leading digits of `text`.
Bytes take_digits(Bytes *text) {
  size_t size = 0;
  while (size < text->size() && is_digit((*text)[size])) ++size;
  Bytes digits = text->substr(0, size);
  text->remove_prefix(size);
  return digits;
}

void strip_trailing_zeros(Bytes *digits) {
  while (digits->ends_with('0')) digits->remove_suffix(1);
}

Decimal read_decimal(Bytes text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  Decimal number;
  number.negative = text.starts_with('-');
  if (number.negative) text.remove_prefix(1);
  number.whole = take_digits(&text);
  while (number.whole.starts_with('0')) number.whole.remove_prefix(1);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    number.fraction = take_digits(&text);
    strip_trailing_zeros(&number.fraction);
  }
  return number;
}

void append_big_endian(u64 value, int bytes, std::string *out) {
  for (int i = bytes - 1; i >= 0; --i) push(static_cast<u8>(value >> (8 * i)), out);
}

void append_length(i64 digits, std::string *out) {
  if (digits < kLongDigits) return push(static_cast<u8>(kPositive + digits), out);
  const int bytes = (static_cast<int>(std::bit_width(static_cast<u64>(digits))) + 7) / 8;
  push(static_cast<u8>(kLongNumber + bytes), out);
  append_big_endian(static_cast<u64>(digits), bytes, out);
}

void append_sortable_digits(Bytes whole, Bytes fraction, std::string *out) {
  if (fraction.empty()) strip_trailing_zeros(&whole);
  const size_t digits = whole.size() + fraction.size();
  auto digit = [&](size_t i) {
    if (i >= digits) return 0;
    return (i < whole.size() ? whole[i] : fraction[i - whole.size()]) - '0';
  };
  for (size_t i = 0; i < digits; i += 2) {
    const int pair = 10 * digit(i) + digit(i + 1);
    push(static_cast<u8>(2 * pair + (i + 2 < digits)), out);
  }
}

void append_number(Bytes value, std::string *out) {
  const Decimal number = read_decimal(value);
  if (number.whole.empty() && number.fraction.empty()) return push(kZero, out);
  const size_t start = out->size();
  append_length(std::ssize(number.whole), out);
  append_sortable_digits(number.whole, number.fraction, out);
  if (number.negative) complement(start, out);
}

}  // namespace

void append_sort_field(const SortField &field, Bytes value, std::string *out) {
  const size_t start = out->size();
  if (field.type == SortField::Type::number) {
    append_number(value, out);
  } else if (field.ignore_case && !is_ascii(value)) {
    std::string folded;
    append_folded(value, &folded);
    append_bytes(folded, out);
    to_upper(start, out);
  } else {
    append_bytes(value, out);
    if (field.ignore_case) to_upper(start, out);
  }
  if (field.descending) complement(start, out);
}

void append_position(u64 position, std::string *out) { append_big_endian(position, 8, out); }

u64 position_at(const char *bytes) {
  u64 position;
  std::memcpy(&position, bytes, sizeof position);
  return __builtin_bswap64(position);
}

}  // namespace mrc
