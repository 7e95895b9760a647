// Text of a fixed form, such as dates, and backslash escapes of quoted values.
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <algorithm>

namespace mrc {

// True if the text begins with the form of `pattern`: 0 stands for a digit, a for a letter, _ for a
// blank or a digit, and any other byte for itself.
constexpr bool has_form(Bytes text, Bytes pattern) {
  auto fits = [](char c, char wanted) {
    switch (wanted) {
      case '0': return is_digit(c);
      case 'a': return is_letter(c);
      case '_': return c == ' ' || is_digit(c);
      default: return c == wanted;
    }
  };
  return text.size() >= pattern.size() &&
         std::equal(pattern.begin(), pattern.end(), text.begin(),
                    [&](char wanted, char c) { return fits(c, wanted); });
}

// Removes the first word, and the blank after it, from the text. Returns the word.
constexpr Bytes take_word(Bytes *text) {
  const size_t end = std::min(text->find(' '), text->size());
  const Bytes word = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return word;
}

// True for Jan to Dec, as logs write them.
constexpr bool is_month(Bytes text) {
  constexpr Bytes kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const size_t at = text.size() == 3 ? kMonths.find(text) : Bytes::npos;
  return at != Bytes::npos && at % 3 == 0;
}

// Replaces \n \t \r \b \f and \uXXXX (a pair of surrogates is one character) by their characters;
// any other byte after a backslash stands for itself. The arena owns the result, which may be
// over-read by kPadding bytes.
Bytes unescape(Bytes text, Arena *arena);

}  // namespace mrc
