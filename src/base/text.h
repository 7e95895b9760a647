// Character classes and line ends.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

MRC_INLINE constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
MRC_INLINE constexpr bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
// True for the bytes between the words of a line.
MRC_INLINE constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
// True for whitespace, as isspace() in the C locale.
MRC_INLINE constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// True for at least one digit and nothing else.
inline constexpr bool is_digits(Bytes text) {
  for (char c : text) {
    if (!is_digit(c)) return false;
  }
  return !text.empty();
}

template <bool (*kTrims)(char)>
Bytes without_around(Bytes text) {
  while (!text.empty() && kTrims(text.front())) text.remove_prefix(1);
  while (!text.empty() && kTrims(text.back())) text.remove_suffix(1);
  return text;
}
inline Bytes without_blanks_around(Bytes text) { return without_around<is_blank>(text); }
inline Bytes without_spaces_around(Bytes text) { return without_around<is_space>(text); }

// True if the line from `begin` to its terminator at `at` ends with CR LF.
MRC_INLINE bool ends_with_return(const char *begin, const char *at, char terminator) {
  return at > begin && at[-1] == '\r' && terminator == '\n';
}
// Returns the line without its terminator, and without a CR before an LF.
MRC_INLINE Bytes ended_line(const char *begin, const char *at, char terminator) {
  return {begin, static_cast<size_t>(at - ends_with_return(begin, at, terminator) - begin)};
}
// Does what ended_line() does in a text that ends at `end`. Its last line may lack a terminator: a
// CR at its end is then part of the line.
MRC_INLINE Bytes line_of(const char *begin, const char *at, const char *end, char terminator) {
  return at == end ? Bytes(begin, static_cast<size_t>(at - begin))
                   : ended_line(begin, at, terminator);
}
// Returns the line with the CR that was removed.
inline Bytes with_return(Bytes line, const char *end) {
  const char *after = line.data() + line.size();
  return {line.data(), line.size() + (after < end && *after == '\r')};
}

// Reserves room for text that is appended next. Adds a little for a long one: the next byte after a
// full string would copy it to one of twice the size.
MRC_INLINE void make_room_for(Bytes text, std::string *out) {
  constexpr size_t kLong = size_t{1} << 20;
  if (text.size() >= kLong) [[unlikely]]
    out->reserve(out->size() + text.size() + text.size() / 64);
}

// Begins UTF-8 files of Windows.
inline constexpr Bytes kByteOrderMark = "\xEF\xBB\xBF";
MRC_INLINE Bytes without_byte_order_mark(Bytes text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

}  // namespace mrc
