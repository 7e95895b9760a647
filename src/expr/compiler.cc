// Expressions become trees of values and conditions (compile_conditions.cc). What an expression is
// by itself decides how two sides are compared; what takes it decides in which form it is
// evaluated.
#include "expr/compiler.h"

#include "base/typed_text.h"
#include "expr/functions.h"
#include "expr/value_cache.h"
#include "expr/value_nodes.h"
#include "expr/where_parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

bool is_sign(std::string_view name) {
  return name.size() == 1 && std::string_view("+-*/%").find(name) != std::string_view::npos;
}

}  // namespace

bool is_literal(const Expression &expression) {
  return expression.kind == Kind::number || expression.kind == Kind::text;
}

bool is_input_field(const Expression &expression) {
  return expression.kind == Kind::field && expression.field.computed == nullptr;
}

bool is_numeric(const Expression &expression) {
  const ExpressionKind kind = kind_of(expression);
  return kind == ExpressionKind::number || kind == ExpressionKind::truth;
}

Status wrong(const Expression &expression, std::string_view should_be, std::string_view what) {
  return Status::error(fmt::format("{} where {} should be: {}", expression.typed, should_be, what));
}

ExpressionKind kind_of(const Expression &expression) {
  switch (expression.kind) {
    case Kind::number: return ExpressionKind::number;
    case Kind::text: return ExpressionKind::text;
    case Kind::field:
      return is_input_field(expression) ? ExpressionKind::field
                                        : kind_of(expression.field.computed->expression());
    case Kind::aggregate: return ExpressionKind::number;
    case Kind::call: break;
  }
  if (is_sign(expression.name)) return ExpressionKind::number;
  const Function *function = find_function(expression.name);
  if (function == nullptr || function->condition != nullptr) return ExpressionKind::truth;
  if (function->texts == nullptr) return ExpressionKind::number;
  if (function->numbers == nullptr) return ExpressionKind::text;
  const auto from = expression.arguments.begin() + function->conditions;
  return std::all_of(from, expression.arguments.end(), is_numeric) ? ExpressionKind::number
                                                                   : ExpressionKind::text;
}

std::vector<i64> Compiler::places_of(const ComputedField &computed) {
  std::vector<i64> places;
  for (const FieldName &field : computed.fields()) places.push_back(place_of_field(field, fields_));
  return places;
}

Operand Compiler::operand(const Expression &field) {
  return {place_of_field(field.field.field, fields_), field.field.bucket};
}

Result<NumbersPtr> Compiler::numbers(const Expression &expression, const Expression &user) {
  const auto &named = expression.field.computed;
  if (named && named->numbers() != nullptr) return make_named_numbers(named, places_of(*named));
  switch (kind_of(expression)) {
    case ExpressionKind::truth: {
      Result<ConditionPtr> condition = this->condition(expression);
      if (!condition.is_ok()) return condition.status();
      return make_truth_numbers(std::move(*condition));
    }
    case ExpressionKind::field:
      return make_field_numbers(operand(expression), reason_not_a_number(expression, user));
    case ExpressionKind::text: break;
    case ExpressionKind::number:
      if (expression.kind == Kind::number) return make_constant_numbers(expression.name);
      if (is_sign(expression.name)) return arithmetic(expression);
      return find_function(expression.name)->numbers(expression, this);
  }
  if (expression.kind == Kind::text) {
    return wrong(expression, "a number", "text in quotes; a field's name is $\"name\"");
  }
  const Function &function = *find_function(expression.name);
  if (function.numbers != nullptr) return function.numbers(expression, this);
  Result<TextsPtr> texts = function.texts(expression, this);
  if (!texts.is_ok()) return texts.status();
  return make_parsed_numbers(std::move(*texts), reason_not_a_number(expression, user));
}

Result<TextsPtr> Compiler::texts(const Expression &expression) {
  if (is_literal(expression)) return make_constant_texts(expression.name);
  const auto &named = expression.field.computed;
  if (named) return make_named_texts(named, places_of(*named));
  if (expression.kind == Kind::field) return make_field_texts(operand(expression));
  if (kind_of(expression) == ExpressionKind::text) {
    return find_function(expression.name)->texts(expression, this);
  }
  Result<NumbersPtr> numbers = this->numbers(expression, expression);
  if (!numbers.is_ok()) return numbers.status();
  return make_number_texts(std::move(*numbers));
}

Result<NumbersPtr> Compiler::arithmetic(const Expression &call) {
  Result<NumbersPtr> left = numbers(call.arguments[0], call);
  if (!left.is_ok()) return left;
  if (call.arguments.size() == 1) {
    return make_arithmetic('-', make_constant_numbers("0"), std::move(*left), call.typed);
  }
  Result<NumbersPtr> right = numbers(call.arguments[1], call);
  if (!right.is_ok()) return right;
  return make_arithmetic(call.name[0], std::move(*left), std::move(*right), call.typed);
}

Result<std::string> Compiler::constant(const Expression &expression, std::string_view what) {
  if (is_literal(expression)) return expression.name;
  return wrong(expression, what, "it is the same for all records; write it in quotes");
}

Result<i64> Compiler::integer(const Expression &expression, std::string_view what) {
  i64 value = 0;
  if (expression.kind == Kind::number && read_number(expression.name, &value)) return value;
  return wrong(expression, what, "it is a whole number, the same for all records");
}

Result<std::vector<NumbersPtr>> Compiler::all_numbers(const Expression &call) {
  std::vector<NumbersPtr> all;
  for (const Expression &argument : call.arguments) {
    Result<NumbersPtr> one = numbers(argument, call);
    if (!one.is_ok()) return one.status();
    all.push_back(std::move(*one));
  }
  return all;
}

Result<std::vector<TextsPtr>> Compiler::all_texts(const Expression &call) {
  std::vector<TextsPtr> all;
  for (const Expression &argument : call.arguments) {
    Result<TextsPtr> one = texts(argument);
    if (!one.is_ok()) return one.status();
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace mrc
