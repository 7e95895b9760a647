// Items of lists, --key of all verbs and --aggregate: an item that is nothing but a name is that
// field or aggregate, and every other item is an expression.
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
  std::string name;  // what stands before "="; empty if nothing does
  // Nothing: the item is a name, for the caller to read.
  std::optional<Expression> expression = {};

  // What the column of the expression is called.
  const std::string &column() const { return name.empty() ? text : name; }
};

// Error: the item is an expression, and wrong.
Result<ListItem> parse_item(std::string_view item, const ExpressionTerms &terms);

// The items between commas; those in quotes, parentheses and brackets do not separate.
Result<std::vector<std::string>> split_items(std::string_view text);

}  // namespace mrc
