// Characters: their classes, UTF-8, and line ends.
#pragma once

#include "base/int.h"

#include <cstring>
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

// Characters outside ASCII: decoding, and which of them count as letters.

struct Decoded {
  u32 code = 0;
  int size = 0;  // bytes; 0 if the character is not valid
};

// Decodes the UTF-8 character at `p` (RFC 3629: no overlong forms, no surrogates).
// REQUIRES: p < end
MRC_INLINE Decoded decode_utf8(const char *p, const char *end) {
  auto byte = [p](int i) { return static_cast<u32>(static_cast<u8>(p[i])); };
  auto continues = [&](int i) { return (byte(i) & 0xC0) == 0x80; };
  const u32 lead = byte(0);
  const i64 room = end - p;
  if (lead < 0x80) return {lead, 1};
  if (lead >= 0xC2 && lead <= 0xDF && room >= 2 && continues(1)) {
    return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  }
  if ((lead & 0xF0) == 0xE0 && room >= 3 && continues(1) && continues(2)) {
    u32 code = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code >= 0x800 && !surrogate ? Decoded{code, 3} : Decoded{};
  }
  if (lead >= 0xF0 && lead <= 0xF4 && room >= 4 && continues(1) && continues(2) && continues(3)) {
    u32 code =
        (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    return code >= 0x10000 && code <= 0x10FFFF ? Decoded{code, 4} : Decoded{};
  }
  return {};
}

// Encodes a character. REQUIRES: the code is that of a character
inline void append_utf8(u32 code, std::string *out) {
  auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  auto head = [&](u32 mark, int shift) { return static_cast<char>(mark | code >> shift); };
  if (code < 0x80) {
    out->push_back(head(0, 0));
  } else if (code < 0x800) {
    out->append({head(0xC0, 6), tail(0)});
  } else if (code < 0x10000) {
    out->append({head(0xE0, 12), tail(6), tail(0)});
  } else {
    out->append({head(0xF0, 18), tail(12), tail(6), tail(0)});
  }
}

// True if the next eight bytes are ASCII.
MRC_INLINE bool is_ascii_word(const char *p) {
  u64 eight;
  std::memcpy(&eight, p, 8);
  return (eight & 0x8080808080808080) == 0;
}

// True if all of the text is valid UTF-8. Skips ASCII in words of eight bytes.
inline bool is_utf8(Bytes text) {
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    const int size = end - p >= 8 && is_ascii_word(p) ? 8 : decode_utf8(p, end).size;
    if (size == 0) return false;
    p += size;
  }
  return true;
}

// Counts everything from U+0080 on as a letter, except Latin-1 signs and general and CJK
// punctuation. This needs no tables, and is right for the words of nearly all scripts.
MRC_INLINE bool is_letter_outside_ascii(u32 code) {
  if (code <= 0xBF) return code == 0xAA || code == 0xB5 || code == 0xBA;
  return code != 0xD7 && code != 0xF7 && !(code >= 0x2000 && code <= 0x206F) &&
         !(code >= 0x3000 && code <= 0x303F) && code != 0xFEFF;
}

// True if a letter of any script starts at `p`; false at the end.
MRC_INLINE bool letter_at(const char *p, const char *end) {
  if (p >= end) return false;
  if (static_cast<u8>(*p) < 0x80) return is_letter(*p);
  Decoded c = decode_utf8(p, end);
  return c.size > 0 && is_letter_outside_ascii(c.code);
}

}  // namespace mrc
