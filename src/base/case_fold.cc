#include "base/case_fold.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

const utf8proc_uint8_t *as_utf8(const char *text) {
  return reinterpret_cast<const utf8proc_uint8_t *>(text);
}

void append_character(utf8proc_int32_t character, std::string *out) {
  utf8proc_uint8_t bytes[4];
  const auto size = static_cast<size_t>(utf8proc_encode_char(character, bytes));
  out->append(reinterpret_cast<const char *>(bytes), size);
}

void append_folded_character(utf8proc_int32_t character, std::string *out) {
  std::array<utf8proc_int32_t, 8> folded{};
  int boundary = 0;
  const utf8proc_ssize_t characters = utf8proc_decompose_char(
      character, folded.data(), std::ssize(folded), UTF8PROC_CASEFOLD, &boundary);
  for (utf8proc_ssize_t i = 0; i < characters; ++i) {
    append_character(folded[static_cast<size_t>(i)], out);
  }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }

// Appends the text with other letters: those of ASCII by kOfAscii(), and others by append(), which
// takes a character. Bytes that are no character stay.
template <char (*kOfAscii)(char), typename Append>
void append_each(Bytes text, std::string *out, Append append) {
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    utf8proc_ssize_t size = 1;
    if (static_cast<signed char>(text[0]) >= 0) {
      out->push_back(kOfAscii(text[0]));
    } else if ((size = utf8proc_iterate(as_utf8(text.data()), std::ssize(text), &character)) > 0) {
      append(character);
    } else {
      out->push_back(text[0]);
      size = 1;
    }
    text.remove_prefix(static_cast<size_t>(size));
  }
}

// Copies the text, and changes its letters in place if it is ASCII.
template <char (*kOfAscii)(char), utf8proc_int32_t (*kOfOthers)(utf8proc_int32_t)>
void append_cased(Bytes text, std::string *out) {
  if (!is_ascii(text)) {
    return append_each<kOfAscii>(
        text, out, [&](utf8proc_int32_t other) { append_character(kOfOthers(other), out); });
  }
  const auto before = static_cast<std::ptrdiff_t>(out->size());
  out->append(text);
  std::transform(out->begin() + before, out->end(), out->begin() + before, kOfAscii);
}

}  // namespace

void append_lower(Bytes text, std::string *out) {
  append_cased<lower, utf8proc_tolower>(text, out);
}
void append_upper(Bytes text, std::string *out) {
  append_cased<upper, utf8proc_toupper>(text, out);
}

bool is_ascii(Bytes text) {
  char all = 0;
  for (const char c : text) all = static_cast<char>(all | c);
  return static_cast<signed char>(all) >= 0;
}

void append_folded(Bytes text, std::string *out) {
  append_each<lower>(text, out,
                     [&](utf8proc_int32_t other) { append_folded_character(other, out); });
}

}  // namespace mrc
