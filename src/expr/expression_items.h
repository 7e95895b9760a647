// Items of lists, such as --key of all verbs and --aggregate. An item that is only a name is that
// field or aggregate; every other item is an expression.
//
//   NAME=EXPRESSION       NAME has letters of ASCII, digits, dots and underscores
//   sum:unit-price        a name: words, numbers and names in double quotes, with colons between
//   sum(price * qty)      all else
#pragma once

#include "expr/expression.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct ListItem {
  std::string text;  // as typed
  std::string name;  // the text before "="; empty if there is none
  // Empty: the item is a name, which the caller parses.
  std::optional<Expression> expression = {};

  // The name of the expression's column.
  const std::string &column() const { return name.empty() ? text : name; }
};

// Fails if the item is a malformed expression.
Result<ListItem> parse_item(std::string_view item, const ExpressionTerms &terms);

// Returns NAME of NAME=EXPRESSION; empty if the item has another form.
std::string name_of_item(std::string_view item);

// Splits items at commas outside quotes, parentheses and brackets.
Result<std::vector<std::string>> split_items(std::string_view text);

}  // namespace mrc
