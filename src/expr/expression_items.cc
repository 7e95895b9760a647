// Items of lists that are expressions: what they begin with, and where they end.
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/expression.h"
#include "expr/functions.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

bool is_quote(char c) { return c == '"' || c == '\''; }

}  // namespace

bool has_aggregate(const Expression &expression) {
  return expression.kind == Expression::Kind::aggregate ||
         std::ranges::any_of(expression.arguments, has_aggregate);
}

NamedExpression take_name(std::string_view item) {
  item = without_spaces_around(item);
  size_t size = 0;
  while (size < item.size() && (is_letter(item[size]) || item[size] == '_' || item[size] == '.' ||
                                is_digit(item[size]))) {
    ++size;
  }
  if (size == 0 || is_digit(item[0]) || item[0] == '.') return {"", item};
  std::string_view rest = without_spaces_around(item.substr(size));
  const bool named = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~");
  if (!named) return {"", item};
  return {std::string(item.substr(0, size)), without_spaces_around(rest.substr(1))};
}

bool begins_with_call(std::string_view item) {
  const size_t open = item.find('(');
  return open != item.npos && find_function(item.substr(0, open)) != nullptr;
}

size_t bracketed_size(std::string_view text) {
  i64 depth = 0;
  char quote = '\0';
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (is_quote(c)) {
      quote = c;
    } else {
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (depth == 0) return at + 1;
    }
  }
  return 0;
}

Result<std::vector<std::string>> split_expressions(std::string_view text,
                                                   bool (*is_item)(std::string_view from)) {
  std::vector<std::string> items;
  size_t begin = 0;
  while (begin <= text.size()) {
    const bool expression = is_item(without_spaces_around(text.substr(begin)));
    i64 depth = 0;
    char quote = '\0';
    size_t at = begin;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || (expression && is_quote(c))) {
        quote = c;
      } else if (c == ',' && depth == 0) {
        break;
      } else if (expression) {
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      }
    }
    if (quote != '\0') return no_closing_quote(text);
    items.emplace_back(without_blanks_around(text.substr(begin, at - begin)));
    if (items.back().empty()) {
      return Status::error(fmt::format("\"{}\": item {} of the list is empty", text, items.size()));
    }
    begin = at + 1;
  }
  return items;
}

}  // namespace mrc
