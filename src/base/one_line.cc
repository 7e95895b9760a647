#include "base/one_line.h"

#include <fmt/format.h>

#include <charconv>

namespace mrc {

void append_on_one_line(Bytes value, std::string *text) {
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte != 0x7F && c != '\\') {
      text->push_back(c);
    } else {
      fmt::format_to(std::back_inserter(*text), "\\x{:02x}", byte);
    }
  }
}

std::string from_one_line(Bytes text) {
  std::string value;
  value.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    unsigned byte = static_cast<unsigned char>(text[at]);
    if (text.substr(at).starts_with("\\x") && at + 4 <= text.size()) {
      std::from_chars(&text[at + 2], &text[at + 2] + 2, byte, 16);
      at += 3;
    }
    value.push_back(static_cast<char>(byte));
  }
  return value;
}

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

}  // namespace mrc
