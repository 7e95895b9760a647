#include "expr/expression_items.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "expr/functions.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

bool is_quote(char c) { return c == '"' || c == '\''; }
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

// How an item begins.
enum class Look {
  name,
  expression,  // NAME= or FUNCTION(
  brackets,    // as an expression may, and as names may, too
};

// Where the first bracket is, which no comma or double quote precedes; npos if it is nowhere.
size_t find_bracket(std::string_view text) {
  const size_t at = text.find_first_of("([,\"");
  return at == text.npos || text[at] == ',' || text[at] == '"' ? text.npos : at;
}

Look look_of(std::string_view item, const ExpressionTerms &terms) {
  if (!take_name(item).name.empty() || begins_with_call(item)) return Look::expression;
  const size_t open = find_bracket(item);
  if (open == 0) return item[0] == '(' || terms.is_aggregate ? Look::brackets : Look::name;
  if (open == item.npos || terms.is_aggregate == nullptr) return Look::name;
  const std::string_view name = item.substr(0, item.find_first_of(":(["));
  return terms.is_aggregate(name) ? Look::brackets : Look::name;
}

// FUNC:NAME of a field that an item before it computes.
bool is_of_defined(std::string_view item, const ExpressionTerms &terms) {
  const size_t colon = item.find(':');
  return terms.is_aggregate != nullptr && colon != item.npos &&
         std::ranges::find(terms.defined, item.substr(colon + 1), &FieldExpr::text) !=
             terms.defined.end();
}

bool is_name(const Expression &item) {
  return item.kind == Kind::field && item.field.computed == nullptr;
}

// Whether an item without a name means more than the name that it could be.
bool is_more_than_a_name(const Expression &item, const ExpressionTerms &terms) {
  if (terms.is_aggregate == nullptr) return !is_name(item);
  if (item.kind != Kind::aggregate) return has_aggregate(item);
  return !item.condition || !is_name(*item.condition);
}

// Whether commas may be part of the item that the text begins with.
bool may_have_commas(std::string_view text, const ExpressionTerms &terms) {
  const Look look = look_of(text, terms);
  if (look == Look::expression) return true;
  if (look == Look::name && terms.is_aggregate == nullptr) return false;
  const size_t open = find_bracket(text);
  return open != text.npos && bracketed_size(text.substr(open)) > 0;
}

// Bytes of the item that the text begins with; all of it if a quote is not closed, which is set.
size_t item_size(std::string_view text, bool expression, bool *in_quotes) {
  i64 depth = 0;
  char quote = '\0';
  size_t at = 0;
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
  *in_quotes = quote != '\0';
  return at;
}

}  // namespace

bool has_aggregate(const Expression &expression) {
  return expression.kind == Kind::aggregate ||
         std::ranges::any_of(expression.arguments, has_aggregate);
}

bool begins_with_call(std::string_view text) {
  const size_t open = text.find('(');
  return open != text.npos && find_function(text.substr(0, open)) != nullptr;
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

Result<ListItem> parse_item(std::string_view item, const ExpressionTerms &terms) {
  const NamedText named = take_name(item);
  ListItem parsed{.text = std::string(item), .name = std::string(named.name)};
  const Look look = look_of(item, terms);
  if (look == Look::name && !is_of_defined(item, terms)) return parsed;
  Result<Expression> expression = parse_expression(named.text, terms);
  if (!expression.is_ok()) {
    if (look == Look::expression) return expression.status();
    if (look == Look::brackets) parsed.doubt = expression.status();
    return parsed;
  }
  const bool is_expression = !named.name.empty() || is_more_than_a_name(*expression, terms);
  if (is_expression) parsed.expression = std::move(*expression);
  return parsed;
}

Result<std::vector<std::string>> split_items(std::string_view text, const ExpressionTerms &terms) {
  std::vector<std::string> items;
  for (size_t begin = 0; begin <= text.size();) {
    const std::string_view rest = text.substr(begin);
    bool in_quotes = false;
    const size_t size =
        item_size(rest, may_have_commas(without_spaces_around(rest), terms), &in_quotes);
    if (in_quotes) return no_closing_quote(text);
    items.emplace_back(without_blanks_around(rest.substr(0, size)));
    if (items.back().empty()) {
      return Status::error(fmt::format("\"{}\": item {} of the list is empty", text, items.size()));
    }
    begin += size + 1;
  }
  return items;
}

}  // namespace mrc
