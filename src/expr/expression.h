// Expressions as users write them, parsed: a tree that is not compiled yet. mrc-expressions(7) has
// the grammar, whose sentences a test parses.
#pragma once

#include "expr/expr.h"
#include "expr/inner/constant.h"

#include <functional>
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
    field,      // field, which may be computed by an earlier item: field.computed
    call,       // name: function or sign; arguments
    aggregate,  // name: function; arguments: values, none for records; condition
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

// True for the sign of a comparison, such as <=.
bool is_comparison(std::string_view sign);
// Makes a constant number.
Expression number_constant(std::string digits);

// The meaning of names within an expression.
struct ExpressionTerms {
  const Clock &clock;
  std::span<const FieldExpr> defined = {};  // fields that earlier items compute
  // Null: aggregates are not allowed.
  std::function<bool(std::string_view name)> is_aggregate = nullptr;
};

// An error gives the reason, and the character where it was found.
Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms);

// Returns the text of an expression or of a list of them, in which literals replace now, today and
// yesterday, so that it keeps its meaning tomorrow.
std::string with_instants(std::string_view text, const Clock &clock);

// True if the expression contains an aggregate.
bool has_aggregate(const Expression &expression);
// True if its values depend on fields of the record.
bool reads_field(const Expression &expression);
// True if the expression is a condition itself, not a choice that conditions make.
bool is_condition(const Expression &expression);

// Makes the field that an expression computes; `name` is the name of its column.
Result<FieldExpr> computed_field(std::string name, Expression expression, const Clock &clock);
// Adds a field that later items may name. Fails if the name is already taken.
Status define(const FieldExpr &field, std::vector<FieldExpr> *defined);
// Returns the computed field with the name of `field`, or else `field`.
Result<FieldExpr> with_definition(const FieldExpr &field, std::span<const FieldExpr> defined);
// Returns the field that an item of a list computes, or nothing if the item is a name
// (expression_items.h). A field with a name is added to `defined`.
Result<std::optional<FieldExpr>> parse_computed(std::string_view item, const Clock &clock,
                                                std::vector<FieldExpr> *defined);
// Parses FIELD[:BUCKET] and expressions, separated by commas.
Result<std::vector<FieldExpr>> parse_keys(std::string_view text, const Clock &clock,
                                          std::vector<FieldExpr> *defined);

}  // namespace mrc
