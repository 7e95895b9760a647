// Words of ASCII letters, as mrc has them with --words alpha.
#pragma once

#include <string_view>

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
