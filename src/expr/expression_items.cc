#include "expr/expression_items.h"

#include "base/text.h"
#include "base/typed_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

bool begins_name(char c) { return is_letter(c) || c == '_'; }
bool is_of_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

// NAME=EXPRESSION taken apart; without a name if the text is anything else.
struct NamedText {
  std::string_view name, text;
};
NamedText take_name(std::string_view item) {
  item = without_spaces_around(item);
  const auto *end = std::ranges::find_if_not(item, is_of_name);
  const std::string_view name = item.substr(0, static_cast<size_t>(end - item.begin()));
  if (name.empty() || !begins_name(name[0])) return {"", item};
  const std::string_view rest = without_spaces_around(item.substr(name.size()));
  const bool named = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~");
  if (!named) return {"", item};
  return {name, without_spaces_around(rest.substr(1))};
}

bool is_of_word(char c) {
  return is_of_name(c) || c == '@' || c == '-' || c == '~' || static_cast<u8>(c) >= 0x80;
}

size_t count_while(std::string_view text, bool (*is_in)(char)) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_in) - text.begin());
}

// Takes a word, a name in double quotes or prefixes such as /24/64 from the front.
bool take_word(std::string_view *text) {
  std::string quoted;
  size_t size = 0;
  if (text->starts_with('"')) {
    size = read_quoted(*text, &quoted);
  } else if (text->starts_with('/')) {
    for (size_t digits = 1; digits > 0 && size < text->size() && (*text)[size] == '/';) {
      digits = count_while(text->substr(size + 1), is_digit);
      size += digits == 0 ? 0 : 1 + digits;
    }
  } else if (!text->starts_with('-')) {
    size = count_while(*text, is_of_word);
  }
  text->remove_prefix(size);
  return size > 0;
}

// True if the item is nothing but a name: words and quoted names with colons and dots between.
bool is_name(std::string_view item) {
  if (item.starts_with('/')) return false;
  while (take_word(&item)) {
    if (item.empty()) return true;
    if (item[0] == '/') return false;
    if (item[0] == ':') item.remove_prefix(1);
  }
  return false;
}

// FUNC:NAME of a field that an item before it computes.
bool is_of_defined(std::string_view item, const ExpressionTerms &terms) {
  const size_t colon = item.find(':');
  return terms.is_aggregate != nullptr && colon != item.npos &&
         std::ranges::find(terms.defined, item.substr(colon + 1), &FieldExpr::text) !=
             terms.defined.end();
}

// True if the item is a known column, or its name after FUNC:, with or without a bucket.
bool is_known_column(std::string_view item, const ExpressionTerms &terms) {
  const auto is_column = [&](std::string_view text) {
    const size_t size = known_column_size(text, terms.clock.columns());
    return size > 0 &&
           (size == text.size() || (text[size] == ':' && is_name(text.substr(size + 1))));
  };
  const size_t colon = item.find(':');
  const bool has_function = terms.is_aggregate != nullptr && colon != item.npos &&
                            terms.is_aggregate(item.substr(0, colon));
  return has_function ? is_column(item.substr(colon + 1))
                      : terms.is_aggregate == nullptr && is_column(item);
}

// Adds to the error that an odd name needs double quotes.
Status no_item(const Status &why, std::string_view item) {
  const bool is_plain = item.find_first_of("\"'$+*%=<>!") == item.npos;
  if (!is_plain) return why;
  return Status::error(
      fmt::format("{}; a field of that name is \"{}\" in double quotes", why.message(), item));
}

}  // namespace

bool has_aggregate(const Expression &expression) {
  return expression.kind == Kind::aggregate ||
         std::ranges::any_of(expression.arguments, has_aggregate);
}

Result<ListItem> parse_item(std::string_view item, const ExpressionTerms &terms) {
  const NamedText named = take_name(item);
  ListItem parsed{.text = std::string(item), .name = std::string(named.name)};
  const bool is_plain = named.name.empty() && (is_name(item) || is_known_column(item, terms));
  if (is_plain && !is_of_defined(item, terms)) return parsed;
  Result<Expression> expression = parse_expression(named.text, terms);
  if (!expression.is_ok()) {
    return named.name.empty() ? no_item(expression.status(), item) : expression.status();
  }
  parsed.expression = std::move(*expression);
  return parsed;
}

Result<std::vector<std::string>> split_items(std::string_view text) {
  std::vector<std::string> items;
  i64 depth = 0;
  char quote = '\0';
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (at < text.size() && quote != '\0') {
      const bool is_text = quote == '\'' || text[text.find_first_not_of(' ', begin)] != '"';
      at += c == '\\' && is_text;
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (at < text.size() && (c != ',' || depth > 0)) continue;
    if (quote != '\0') return no_closing_quote(text);
    items.emplace_back(without_blanks_around(text.substr(begin, at - begin)));
    begin = at + 1;
    if (items.back().empty()) {
      return Status::error(fmt::format("\"{}\": item {} of the list is empty", text, items.size()));
    }
  }
  return items;
}

}  // namespace mrc
