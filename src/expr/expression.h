// Expressions as users write them (mrc-expressions(7)), parsed: a tree that is not compiled yet.
//
//   any     = all { "or" all }
//   all     = one { "and" one }
//   one     = "not" one | test
//   test    = sum [ ( == != < <= > >= =~ !~ ) sum | "between" sum "and" sum
//                 | "in" ( VALUE | "(" VALUE { "," VALUE } ")" ) ]
//   sum     = term { ( + - ) term }
//   term    = factor { ( * / % ) factor }
//   factor  = "-" factor | NUMBER | TEXT | FIELD | FUNCTION "(" any { "," any } ")"
//           | "(" any ")" | AGGREGATE
//
//   FIELD     = NAME [ ":" BUCKET ] | $N | $"any name"
//   AGGREGATE = ( "count" | "share" ) [ "[" any "]" ] | FUNC ":" FIELD [ "[" any "]" ]
//             | FUNC "(" any { "," any } ")" [ "[" any "]" ]
//             | "top" "(" NUMBER "," any [ "," any ] ")" [ "[" any "]" ]
//
// The third argument of top is made of aggregates.
//
// Text is in single quotes. Double quotes make a name where a field has to be: left of a
// comparison, first in a function, beside a sign; elsewhere they make text.
#pragma once

#include "expr/expr.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct Expression {
  enum class Kind {
    number,     // name: as typed
    text,       // name: without quotes
    field,      // field
    call,       // name: of the function, or the sign; arguments
    aggregate,  // name: of the function; arguments: of what, none for records; condition
  } kind = Kind::number;
  std::string name = {};
  FieldExpr field = {};
  std::vector<Expression> arguments = {};
  std::shared_ptr<const Expression> condition = {};  // null: all records
  std::string typed = {};

  bool is(Kind of, std::string_view called) const { return kind == of && name == called; }
};

// What names may mean within an expression.
struct ExpressionTerms {
  const Clock &clock;
  std::span<const FieldExpr> defined = {};  // fields that items before it compute
  // Null: there are no aggregates here.
  bool (*is_aggregate)(std::string_view name) = nullptr;
};

// Error: what is wrong, and at which character.
Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms);

// Whether the expression has an aggregate in it.
bool has_aggregate(const Expression &expression);

// NAME=EXPRESSION taken apart; without a name if the text is anything else.
struct NamedExpression {
  std::string name;
  std::string_view text;
};
NamedExpression take_name(std::string_view item);
// Whether the text begins as FUNCTION( does, with a function of expressions.
bool begins_with_call(std::string_view item);

// Items between commas, as split_list() has them; commas within quotes, parentheses and brackets
// of an expression do not separate. `is_item` tells of the text from an item's begin on whether
// that is an expression.
Result<std::vector<std::string>> split_expressions(std::string_view text,
                                                   bool (*is_item)(std::string_view from));

// Bytes of the text through the parenthesis or bracket that closes the one it begins with, which
// quotes may hide; 0 if there is none.
size_t bracketed_size(std::string_view text);

// The field that an expression computes; `name` is what its column is called.
Result<FieldExpr> computed_field(std::string name, Expression expression, const Clock &clock);
// Adds a field that items after it may name. Error: there is one of that name.
Status define(const FieldExpr &field, std::vector<FieldExpr> *defined);
// The field, or the one of its name that is computed.
Result<FieldExpr> with_definition(const FieldExpr &field, std::span<const FieldExpr> defined);
// FIELD[:BUCKET], NAME=EXPRESSION, FUNCTION(...) and (EXPRESSION), separated by commas. Those with
// a name are added to what is defined.
Result<std::vector<FieldExpr>> parse_keys(std::string_view text, const Clock &clock,
                                          std::vector<FieldExpr> *defined);

}  // namespace mrc
