// The index without simdjson, for builds that link all libraries statically (MRC_PORTABLE): Debian
// has no archive of simdjson. It lists the same tokens, byte by byte.
#include "base/text.h"
#include "fields/inner/json_index.h"

#include <vector>

namespace mrc {
namespace {

constexpr size_t kMostBytes = 0xFFFFFFFF;

bool is_operator(char c) {
  return c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',';
}
bool is_index_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the value of four hexadecimal digits, or a value past 16 bits if they are malformed.
u32 read_hex(const char *p) {
  u32 value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i], lower = static_cast<char>(c | 0x20);
    const bool is_digit = c >= '0' && c <= '9', is_hex = lower >= 'a' && lower <= 'f';
    if (!is_digit && !is_hex) return ~u32{0};
    value = value << 4 | static_cast<u32>(is_digit ? c - '0' : lower - 'a' + 10);
  }
  return value;
}

// Reads the character of a \u escape, after the "u"; a surrogate pair is one character. Returns a
// code past Unicode if it is malformed. Moves *from past it.
u32 read_unicode(const char **from) {
  constexpr u32 kNone = ~u32{0};
  const u32 first = read_hex(*from);
  *from += 4;
  if (first < 0xD800 || first >= 0xE000) return first;
  if (first >= 0xDC00 || (*from)[0] != '\\' || (*from)[1] != 'u') return kNone;
  const u32 second = read_hex(*from + 2);
  if (second < 0xDC00 || second >= 0xE000) return kNone;
  *from += 6;
  return 0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00));
}

char *append_utf8(u32 code, char *to) {
  auto put = [&](u32 byte) { *to++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
    return to;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr u32 kLead[] = {0, 0xC0, 0xE0, 0xF0};
  put(kLead[more] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i) put(0x80 | (code >> (6 * i) & 0x3F));
  return to;
}

// Returns the meaning of a letter after a backslash; 0 if it has none.
char unescaped(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/': return letter;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return '\0';
  }
}

}  // namespace

struct JsonIndex::Parser {
  std::vector<u32> places;
};

JsonIndex::JsonIndex() : parser_(std::make_unique<Parser>()) {}
JsonIndex::~JsonIndex() = default;

const char *JsonIndex::build(Bytes text) {
  static const u32 kNothing = 0;
  places_ = &kNothing;
  if (text.empty()) return nullptr;
  if (text.size() >= kMostBytes) return "longer than 4 GiB";
  std::vector<u32> &places = parser_->places;
  if (places.size() <= text.size()) places.resize(text.size() + text.size() / 4 + 1);
  u32 *next = places.data();
  bool in_string = false, escapes = false, in_word = false, has_control = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_quote = c == '"' && !escapes;
    escapes = c == '\\' && !escapes;
    if (in_string) {
      in_string = !is_quote;
      has_control = has_control || static_cast<u8>(c) < 0x20;
      continue;
    }
    const bool separates = is_operator(c), begins = !is_index_blank(c) && !separates && !in_word;
    if (separates || begins) *next++ = static_cast<u32>(at);
    in_string = is_quote;
    in_word = !separates && !is_quote && !is_index_blank(c);
  }
  if (in_string) return "a string that is not closed";
  if (has_control) return "a control character in a string";
  *next = static_cast<u32>(text.size());
  if (next > places.data() && !is_utf8(text)) return "invalid UTF-8";
  places_ = places.data();
  return nullptr;
}

char *JsonIndex::unescape(const char *inner, char *to) const {
  while (*inner != '"') {
    if (*inner != '\\') {
      *to++ = *inner++;
      continue;
    }
    const char letter = inner[1];
    inner += 2;
    if (letter == 'u') {
      const u32 code = read_unicode(&inner);
      if (code > 0x10FFFF) return nullptr;
      to = append_utf8(code, to);
    } else {
      *to = unescaped(letter);
      if (*to++ == '\0') return nullptr;
    }
  }
  return to;
}

}  // namespace mrc
