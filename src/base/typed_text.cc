#include "base/typed_text.h"

#include "base/text.h"

#include <fmt/format.h>

namespace mrc {

std::optional<i64> read_size(Bytes text) {
  constexpr Bytes kUnits = "kmgt";
  int shift = 0;
  const size_t unit =
      text.empty() ? Bytes::npos : kUnits.find(static_cast<char>(text.back() | 0x20));
  if (unit != Bytes::npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    text.remove_suffix(1);
  }
  i64 bytes = 0;
  if (!read_number(text, &bytes) || bytes < 0 || bytes > INT64_MAX >> shift) return std::nullopt;
  return bytes << shift;
}

std::string in_double_quotes(Bytes text) {
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string written_name(Bytes name, bool step) {
  const bool number = name.empty() || is_digits(name);
  const bool special = name.find_first_of(step ? ".:,\"" : ":,\"") != Bytes::npos;
  if (!number && !special && !is_blank(name.front()) && !is_blank(name.back())) {
    return std::string(name);
  }
  return in_double_quotes(name);
}

size_t read_quoted(Bytes text, std::string *name) {
  const char quote = text[0];
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == quote && (++at == text.size() || text[at] != quote)) return at;
    name->push_back(text[at]);
  }
  return 0;
}

std::string without_quotes(Bytes text) {
  std::string name;
  while (!text.empty()) {
    size_t size = 1;
    if (text[0] != '"') {
      name.push_back(text[0]);
    } else if (size = read_quoted(text, &name); size == 0) {
      break;
    }
    text.remove_prefix(size);
  }
  return name;
}

size_t find_unquoted(Bytes text, char byte) {
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (text[at] == byte && !quoted) return at;
  }
  return Bytes::npos;
}

size_t find_last_unquoted(Bytes text, char byte) {
  size_t last = Bytes::npos;
  for (size_t from = 0;;) {
    const size_t found = find_unquoted(text.substr(from), byte);
    if (found == Bytes::npos) return last;
    last = from + found;
    from = last + 1;
  }
}

Result<std::vector<std::string>> split_list(Bytes text) {
  std::vector<std::string> items;
  bool quoted = false;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '"') quoted = !quoted;
    if (at < text.size() && (quoted || text[at] != ',')) continue;
    items.emplace_back(without_blanks_around(text.substr(begin, at - begin)));
    begin = at + 1;
    if (items.back().empty()) {
      return Status::error(fmt::format("\"{}\": item {} of the list is empty", text, items.size()));
    }
  }
  if (quoted) return no_closing_quote(text);
  return items;
}

Result<std::vector<std::string>> split_names(Bytes text) {
  Result<std::vector<std::string>> names = split_list(text);
  if (!names.is_ok()) return names;
  for (std::string &name : *names) name = without_quotes(name);
  return names;
}

Status no_closing_quote(Bytes text, char quote) {
  return Status::error(
      fmt::format("{}: a {} quote is not closed", text, quote == '"' ? "double" : "single"));
}

}  // namespace mrc
