// Words, as mrc has them with --words alpha, and by default.
#pragma once

#include <string_view>

// Of ASCII letters.

inline bool is_letter(char c) { return static_cast<unsigned char>((c | 32) - 'a') < 26; }

template <class Visit>
void each_word(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && is_letter(text[at])) ++at;
    if (at > begin) visit(text.substr(begin, at - begin));
    ++at;
  }
}

// Of letters of any script, ASCII digits and _, and apostrophes between two letters.
namespace word {

enum class Kind { separator, letter, digit, apostrophe };
struct Character {
  Kind kind;
  size_t size;  // in bytes; an invalid byte is a separator of one
};

inline Kind kind_of(unsigned code) {
  const bool symbol = (code <= 0xBF && code != 0xAA && code != 0xB5 && code != 0xBA) ||
                      code == 0xD7 || code == 0xF7 || (code >= 0x2000 && code <= 0x206F) ||
                      (code >= 0x3000 && code <= 0x303F) || code == 0xFEFF;
  if (code == 0x2019) return Kind::apostrophe;
  return symbol ? Kind::separator : Kind::letter;
}

inline Character ascii_character(char c) {
  if (is_letter(c)) return {Kind::letter, 1};
  if ((c >= '0' && c <= '9') || c == '_') return {Kind::digit, 1};
  return {c == '\'' ? Kind::apostrophe : Kind::separator, 1};
}

// REQUIRES: text is not empty
inline Character character_at(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return ascii_character(text[0]);
  const size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || size > text.size()) return {Kind::separator, 1};
  unsigned code = byte(0) & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {Kind::separator, 1};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr unsigned kLeast[] = {0x80, 0x800, 0x10000};  // shorter ones are not valid
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[size - 2] || code > 0x10FFFF || surrogate) return {Kind::separator, 1};
  return {kind_of(code), size};
}

// Whether an apostrophe, which follows a letter, is followed by one.
inline bool joins(std::string_view rest) {
  return !rest.empty() && character_at(rest).kind == Kind::letter;
}

}  // namespace word

template <class Visit>
void each_word_of_any_script(std::string_view text, Visit visit) {
  using word::Kind;
  size_t begin = 0;
  Kind before = Kind::separator;
  for (size_t at = 0; at <= text.size();) {
    const word::Character c = at < text.size() ? word::character_at(text.substr(at))
                                               : word::Character{Kind::separator, 1};
    const bool inside = c.kind == Kind::letter || c.kind == Kind::digit ||
                        (c.kind == Kind::apostrophe && before == Kind::letter &&
                         word::joins(text.substr(at + c.size)));
    if (!inside && at > begin) visit(text.substr(begin, at - begin));
    before = c.kind;
    at += c.size;
    if (!inside) begin = at;
  }
}
