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

// Appends the first character, which is not ASCII, and returns its size.
size_t append_folded_character(Bytes text, std::string *out) {
  utf8proc_int32_t character = 0;
  const utf8proc_ssize_t size =
      utf8proc_iterate(as_utf8(text.data()), std::ssize(text), &character);
  if (size <= 0) {
    out->push_back(text[0]);
    return 1;
  }
  std::array<utf8proc_int32_t, 8> folded;
  int boundary = 0;
  const utf8proc_ssize_t characters = utf8proc_decompose_char(
      character, folded.data(), std::ssize(folded), UTF8PROC_CASEFOLD, &boundary);
  for (utf8proc_ssize_t i = 0; i < characters; ++i) {
    append_character(folded[static_cast<size_t>(i)], out);
  }
  return static_cast<size_t>(size);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }

// Appends the first character, which is not ASCII, in its other case, and returns its size.
size_t append_cased_character(Bytes text, utf8proc_int32_t (*map)(utf8proc_int32_t),
                              std::string *out) {
  utf8proc_int32_t character = 0;
  const utf8proc_ssize_t size =
      utf8proc_iterate(as_utf8(text.data()), std::ssize(text), &character);
  if (size <= 0) {
    out->push_back(text[0]);
    return 1;
  }
  append_character(map(character), out);
  return static_cast<size_t>(size);
}

// Copies the text, and changes its letters in place if it is ASCII.
template <char (*kOfAscii)(char)>
void append_cased(Bytes text, utf8proc_int32_t (*map)(utf8proc_int32_t), std::string *out) {
  if (is_ascii(text)) {
    const auto before = static_cast<std::ptrdiff_t>(out->size());
    out->append(text);
    std::transform(out->begin() + before, out->end(), out->begin() + before, kOfAscii);
    return;
  }
  while (!text.empty()) {
    const bool is_of_ascii = static_cast<signed char>(text[0]) >= 0;
    if (is_of_ascii) out->push_back(kOfAscii(text[0]));
    text.remove_prefix(is_of_ascii ? 1 : append_cased_character(text, map, out));
  }
}

}  // namespace

void append_lower(Bytes text, std::string *out) {
  append_cased<lower>(text, utf8proc_tolower, out);
}
void append_upper(Bytes text, std::string *out) {
  append_cased<upper>(text, utf8proc_toupper, out);
}

bool is_ascii(Bytes text) {
  char all = 0;
  for (const char c : text) all = static_cast<char>(all | c);
  return static_cast<signed char>(all) >= 0;
}

void append_folded(Bytes text, std::string *out) {
  while (!text.empty()) {
    const bool is_letter_of_ascii = static_cast<signed char>(text[0]) >= 0;
    if (is_letter_of_ascii) out->push_back(lower(text[0]));
    text.remove_prefix(is_letter_of_ascii ? 1 : append_folded_character(text, out));
  }
}

}  // namespace mrc
