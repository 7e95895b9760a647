// Which items of a list are expressions: one rule for --key of all verbs and for --aggregate.
//
//   NAME=...       always; NAME has letters of ASCII, digits, dots and underscores
//   FUNCTION(...   always, with a function of expressions
//   (...           if it parses, and is more than the name of a field
//
// Where there are aggregates, an expression without a name has one in it, and these are some, too:
//
//   FUNC(...  FUNC[...  FUNC:...(...  FUNC:...[...
//                  if it parses, and more is in the brackets than the name of a field
//   FUNC:NAME      if an item before it computes NAME
//
// Every other item is a name, such as unit-price, a+b, "v=1", sum:unit-price, amount (USD).
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
  // Of a name that begins as an expression does: why it is none.
  Status doubt = Status::ok();

  // What the column of the expression is called.
  const std::string &column() const { return name.empty() ? text : name; }
};

// Error: the item is an expression, and wrong.
Result<ListItem> parse_item(std::string_view item, const ExpressionTerms &terms);

// The items between commas, as split_list() has them. Commas in quotes, parentheses and brackets
// of an expression do not separate; nor do, where there are aggregates, those in brackets that an
// item begins with after a name.
Result<std::vector<std::string>> split_items(std::string_view text, const ExpressionTerms &terms);

// Whether the text begins as FUNCTION( does, with a function of expressions.
bool begins_with_call(std::string_view text);
// Bytes of the text through the parenthesis or bracket that closes the one it begins with, which
// quotes may hide; 0 if there is none.
size_t bracketed_size(std::string_view text);

}  // namespace mrc
