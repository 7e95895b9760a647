// Characters outside ASCII: decoding, and which of them count as letters.
#pragma once

#include "base/text.h"

#include <cstring>
#include <string>

namespace mrc {

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
