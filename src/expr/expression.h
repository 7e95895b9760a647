// Expressions as users write them (mrc-expressions(7)), parsed: a tree that is not compiled yet.
//
//   any     = all { "or" all }
//   all     = one { "and" one }
//   one     = "not" one | test
//   test    = sum [ ( == != < <= > >= ) sum | ( =~ !~ ) TEXT | "between" sum "and" sum
//                 | "in" ( sum | "(" any { "," any } ")" ) ]
//   sum     = term { ( + - ) term }
//   term    = factor { ( * / % ) factor }
//   factor  = "-" factor | CONSTANT | TEXT | FIELD | FUNCTION "(" any { "," any } ")"
//           | "(" any ")" | AGGREGATE
//
//   FIELD     = NAME [ ":" BUCKET ] | $N | $NAME | $"any name"
//   AGGREGATE = ( "count" | "share" ) [ "[" any "]" ] | FUNC ":" FIELD [ "[" any "]" ]
//             | FUNC "(" any { "," any } ")" [ "[" any "]" ]
//             | "top" "(" NUMBER "," any [ "," any ] ")" [ "[" any "]" ]
//
// The third argument of top is made of aggregates. A bare word is a field, text is in quotes of
// either kind, and CONSTANT is in constant.h.
#pragma once

#include "expr/constant.h"
#include "expr/expr.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct Expression {
  enum class Kind {
    constant,
    field,      // field, which may be one that an item before it computes: field.computed
    call,       // name: of the function, or the sign; arguments
    aggregate,  // name: of the function; arguments: of what, none for records; condition
  } kind = Kind::constant;
  std::string name = {};
  Constant constant = {};
  FieldExpr field = {};
  std::vector<Expression> arguments = {};
  std::shared_ptr<const Expression> condition = {};  // null: all records
  std::string typed = {};

  bool is(Kind of, std::string_view called) const { return kind == of && name == called; }
  bool is_constant(ValueKind of) const { return kind == Kind::constant && constant.kind == of; }
};

// A number that is a constant.
Expression number_constant(std::string digits);

// What names may mean within an expression.
struct ExpressionTerms {
  const Clock &clock;
  std::span<const FieldExpr> defined = {};  // fields that items before it compute
  // Null: there are no aggregates here.
  bool (*is_aggregate)(std::string_view name) = nullptr;
};

// Error: what is wrong, and at which character.
Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms);

// The text of an expression or of a list of them, in which now, today and yesterday have become
// literals that mean the same tomorrow.
std::string with_instants(std::string_view text, const Clock &clock);

// Whether the expression has an aggregate in it.
bool has_aggregate(const Expression &expression);

// The field that an expression computes; `name` is what its column is called.
Result<FieldExpr> computed_field(std::string name, Expression expression, const Clock &clock);
// Adds a field that items after it may name. Error: there is one of that name.
Status define(const FieldExpr &field, std::vector<FieldExpr> *defined);
// The field, or the one of its name that is computed.
Result<FieldExpr> with_definition(const FieldExpr &field, std::span<const FieldExpr> defined);
// The field that an item of a list computes, nothing if the item is a name (expression_items.h).
// One with a name is added to what is defined.
Result<std::optional<FieldExpr>> parse_computed(std::string_view item, const Clock &clock,
                                                std::vector<FieldExpr> *defined);
// FIELD[:BUCKET] and expressions, separated by commas.
Result<std::vector<FieldExpr>> parse_keys(std::string_view text, const Clock &clock,
                                          std::vector<FieldExpr> *defined);

}  // namespace mrc
