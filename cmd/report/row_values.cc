#include "cmd/report/row_values.h"

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr size_t kDigits = 15;  // of a number that each double has

bool is_long_number(std::string_view word) {
  const bool is_whole = word.find_first_not_of("-0123456789") == word.npos;
  return is_whole && word.size() > kDigits;
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

}  // namespace mrc
