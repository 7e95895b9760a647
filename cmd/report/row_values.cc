#include "cmd/report/row_values.h"

#include "base/one_line.h"

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr size_t kDigits = 15;  // of a number that each double has

bool is_long_number(std::string_view word) {
  const bool is_whole = word.find_first_not_of("-0123456789") == word.npos;
  return is_whole && word.size() > kDigits;
}

// Appends the character of an escape after its backslash, and returns the size of the escape. Only
// control characters below U+00A0 have numbers.
size_t append_escaped(std::string_view escape, std::string *out) {
  constexpr size_t kDigitsOfNumber = 4;
  const char c = escape[0];
  if (c != 'u') {
    out->push_back(c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c);
    return 1;
  }
  const std::string_view digits = escape.substr(1, kDigitsOfNumber);
  unsigned code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (code >= 0x80) out->push_back('\xC2');
  out->push_back(static_cast<char>(code));
  return 1 + digits.size();
}

}  // namespace

std::vector<std::string_view> values_of(std::string_view row) {
  std::vector<std::string_view> values;
  bool is_quoted = false;
  i64 depth = 0;
  size_t begin = 1, i = 1;
  for (; i < row.size(); ++i) {
    const char c = row[i];
    if (c == '"') is_quoted = !is_quoted;
    if (c == '\\') ++i;
    if (is_quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth-- == 0) break;
    if (c != ',' || depth > 0) continue;
    values.push_back(row.substr(begin, i - begin));
    begin = i + 1;
  }
  values.push_back(row.substr(begin, i - begin));
  return values;
}

std::string for_script(std::string_view value) {
  std::string text;
  while (!value.empty()) {
    size_t end = 1;
    if (value[0] == '"') {
      while (end < value.size() && value[end] != '"') end += value[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, value.size());
    } else if (std::string_view("[]{}:,").find(value[0]) == value.npos) {
      end = std::min(value.find_first_of("[]{}:,\""), value.size());
    }
    const std::string_view word = value.substr(0, end);
    const char *quote = is_long_number(word) ? "\"" : "";
    text.append(quote).append(word).append(quote);
    value.remove_prefix(end);
  }
  return text;
}

i64 number_of(std::string_view value) {
  i64 number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::string text_of_json(std::string_view value) {
  constexpr std::string_view kBytes = R"({"bytes":")", kEnd = R"("})";
  std::string text;
  if (value.starts_with(kBytes)) {
    value = value.substr(kBytes.size(), value.size() - kBytes.size() - kEnd.size());
    append_from_base64(value, &text);
    return text;
  }
  for (size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] != '\\') {
      text.push_back(value[i]);
    } else {
      i += append_escaped(value.substr(i + 1), &text);
    }
  }
  return text;
}

}  // namespace mrc
