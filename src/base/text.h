// What bytes mean as text, each said once.
#pragma once

#include "base/int.h"

namespace mrc {

MRC_INLINE constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
MRC_INLINE constexpr bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
// Between the words of a line.
MRC_INLINE constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
// Whitespace, as isspace() has it in the C locale.
MRC_INLINE constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// At least one digit, and nothing else.
inline constexpr bool is_digits(Bytes text) {
  for (char c : text) {
    if (!is_digit(c)) return false;
  }
  return !text.empty();
}

inline Bytes without_spaces_around(Bytes text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// UTF-8 files of Windows begin with it.
inline constexpr Bytes kByteOrderMark = "\xEF\xBB\xBF";
MRC_INLINE Bytes without_byte_order_mark(Bytes text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

}  // namespace mrc
