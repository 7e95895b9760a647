// Where words start and end, byte after byte, as mrc-wordcount(1) tells it.
#pragma once

#include "scan/scan.h"
#include "unit/base/encode_utf8.h"

#include <string>
#include <vector>

namespace mrc {

// The number of the character at the front of `text`: what encodes to these bytes.
inline bool naive_character(Bytes text, u32 *code, size_t *size) {
  for (*size = 1; *size <= 4 && *size <= text.size(); ++*size) {
    static constexpr u32 kLeadBits[] = {0x7F, 0x1F, 0x0F, 0x07};
    *code = static_cast<u8>(text[0]) & kLeadBits[*size - 1];
    for (size_t i = 1; i < *size; ++i) *code = *code << 6 | (static_cast<u8>(text[i]) & 0x3F);
    bool exists = *code < 0xD800 || (*code > 0xDFFF && *code <= 0x10FFFF);
    if (exists && encode_utf8(*code) == text.substr(0, *size)) return true;
  }
  return false;
}

inline bool naive_letter(u32 code) {
  if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  if (code <= 0xBF) return code == 0xAA || code == 0xB5 || code == 0xBA;
  return code != 0xD7 && code != 0xF7 && !(code >= 0x2000 && code <= 0x206F) &&
         !(code >= 0x3000 && code <= 0x303F) && code != 0xFEFF;
}

inline std::vector<bool> naive_word_bytes(Bytes text) {
  std::vector<bool> letter(text.size() + 1), word(text.size());
  u32 code = 0;
  size_t size = 0;
  for (size_t at = 0; at < text.size(); at += size) {
    if (!naive_character(text.substr(at), &code, &size)) {
      size = 1;
      continue;
    }
    for (size_t i = at; i < at + size; ++i) {
      letter[i] = naive_letter(code);
      word[i] = letter[i] || (code >= '0' && code <= '9') || code == '_';
    }
  }
  for (size_t at = 1; at < text.size(); ++at) {
    for (Bytes quote : {"'", "\xE2\x80\x99"}) {
      if (!text.substr(at).starts_with(quote)) continue;
      if (!letter[at - 1] || !letter[at + quote.size()]) continue;
      for (size_t i = at; i < at + quote.size(); ++i) word[i] = true;
    }
  }
  return word;
}

// Start, end, start, end ... of the words of `text`.
inline std::vector<i64> naive_edges(Bytes text, Words kind) {
  std::vector<bool> inside(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    inside[i] = kind == Words::alpha ? static_cast<u8>(text[i]) < 0x80 && naive_letter(text[i])
                                     : Bytes(" \t\n\v\f\r").find(text[i]) == Bytes::npos;
  }
  if (kind == Words::word) inside = naive_word_bytes(text);
  std::vector<i64> edges;
  for (size_t i = 0; i <= text.size(); ++i) {
    bool before = i > 0 && inside[i - 1], now = i < text.size() && inside[i];
    if (before != now) edges.push_back(static_cast<i64>(i));
  }
  return edges;
}

}  // namespace mrc
