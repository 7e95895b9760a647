#include "base/json_text.h"

#include "base/one_line.h"
#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace mrc {

namespace {

// The bytes of strings that are written as they are, whatever follows them.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < plain.size(); ++c) plain[c] = c != '"' && c != '\\' && c != 0x7F;
  plain[0xC2] = false;  // begins control characters, too
  return plain;
}();

// True at a C1 control character, U+0080 to U+009F.
bool is_c1(Bytes text, size_t i) {
  return text[i] == '\xC2' && i + 1 < text.size() && static_cast<u8>(text[i + 1]) < 0xA0;
}

void append_number_of(char c, std::string *out) {
  fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<u8>(c));
}

}  // namespace

void append_json(Bytes text, std::string *out) {
  make_room_for(text, out);
  if (!is_utf8(text)) {
    out->append(R"({"bytes":")");
    append_base64(text, out);
    out->append(R"("})");
    return;
  }
  out->push_back('"');
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t plain = i;
    while (i < text.size() && kPlain[static_cast<u8>(text[i])]) ++i;
    out->append(text, plain, i - plain);
    if (i == text.size()) break;
    const u8 c = static_cast<u8>(text[i]);
    const bool c1 = is_c1(text, i);
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(text[i]);
    } else if (c == 0xC2 && !c1) {
      out->push_back(text[i]);
    } else if (c == '\t' || c == '\n' || c == '\r') {
      out->push_back('\\');
      out->push_back(c == '\t' ? 't' : c == '\n' ? 'n' : 'r');
    } else {
      if (c1) ++i;
      append_number_of(text[i], out);
    }
  }
  out->push_back('"');
}

// Replaces line ends, which only occur between tokens, by blanks. Escapes the other control
// characters, which only occur in strings.
void append_json_value(Bytes value, std::string *out) {
  make_room_for(value, out);
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '\n' || c == '\r') {
      out->push_back(' ');
    } else if (c == 0x7F || is_c1(value, i)) {
      i += c != 0x7F;
      append_number_of(value[i], out);
    } else {
      out->push_back(c);
    }
  }
}

}  // namespace mrc
