#include "fields/inner/text_form.h"

#include "record.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace mrc {
namespace {

// Parses four hexadecimal digits at the front of `text`.
bool parse_hex(Bytes text, u32 *code) {
  if (text.size() < 4) return false;
  const char *end = text.data() + 4;
  return std::from_chars(text.data(), end, *code, 16).ptr == end;
}

char *write_utf8(u32 code, char *out) {
  auto put = [&](u32 byte) { *out++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
    return out;
  }
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
  return out;
}

// Decodes \uXXXX, whose digits are at the front. Returns the number of bytes read, 0 if the digits
// are malformed. Half a pair of surrogates is U+FFFD.
size_t take_unicode(Bytes text, u32 *code) {
  constexpr u32 kReplacement = 0xFFFD;
  if (!parse_hex(text, code)) return 0;
  if (*code < 0xD800 || *code > 0xDFFF) return 4;
  u32 low = 0;
  const bool pair = *code < 0xDC00 && text.substr(4).starts_with("\\u") &&
                    parse_hex(text.substr(6), &low) && low >= 0xDC00 && low <= 0xDFFF;
  *code = pair ? 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00) : kReplacement;
  return pair ? 10 : 4;
}

}  // namespace

Bytes unescape(Bytes text, Arena *arena) {
  // No escape is shorter than the character it stands for.
  char *begin = reinterpret_cast<char *>(arena->alloc(std::ssize(text) + kPadding)), *out = begin;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      *out++ = text[i];
      continue;
    }
    static constexpr Bytes kLetters = "ntrbf", kMeanings = "\n\t\r\b\f";
    const char letter = text[++i];
    u32 code = 0;
    if (const size_t used = letter == 'u' ? take_unicode(text.substr(i + 1), &code) : 0; used > 0) {
      out = write_utf8(code, out);
      i += used;
    } else if (const size_t at = kLetters.find(letter); at != Bytes::npos) {
      *out++ = kMeanings[at];
    } else {
      *out++ = letter;
    }
  }
  std::memset(out, 0, kPadding);
  return {begin, static_cast<size_t>(out - begin)};
}

}  // namespace mrc
