// Expressions become trees of values and conditions. What an expression is by itself decides how
// two sides are compared; what takes it decides in which form it is evaluated.
#include "expr/compiler.h"

#include "base/typed_text.h"
#include "expr/address.h"
#include "expr/functions.h"
#include "expr/value_nodes.h"
#include "expr/where_parser.h"
#include "regex/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

using Kind = Expression::Kind;

struct NamedRelation {
  std::string_view sign;
  Relation relation, mirrored;
};
constexpr NamedRelation kRelations[] = {
    {"==", Relation::equal, Relation::equal}, {"!=", Relation::unequal, Relation::unequal},
    {"<", Relation::less, Relation::greater}, {"<=", Relation::at_most, Relation::at_least},
    {">", Relation::greater, Relation::less}, {">=", Relation::at_least, Relation::at_most},
};

const NamedRelation *find_relation(std::string_view sign) {
  const auto *found = std::ranges::find(kRelations, sign, &NamedRelation::sign);
  return found == std::end(kRelations) ? nullptr : found;
}

bool is_sign(std::string_view name) {
  return name.size() == 1 && std::string_view("+-*/%").find(name) != std::string_view::npos;
}

bool is_literal(const Expression &expression) {
  return expression.kind == Kind::number || expression.kind == Kind::text;
}

Literal literal_of(const Expression &expression) {
  return {expression.name, expression.kind == Kind::text};
}

bool is_numeric(const Expression &expression) {
  const ExpressionKind kind = kind_of(expression);
  return kind == ExpressionKind::number || kind == ExpressionKind::truth;
}

Status wrong(const Expression &expression, std::string_view should_be, std::string_view what) {
  return Status::error(fmt::format("{} where {} should be: {}", expression.typed, should_be, what));
}

// A rule of text alone.
struct MatchesRegex {
  std::unique_ptr<const Regex> regex;
  bool negated;
  bool operator()(const std::array<Bytes, 1> &text) const {
    return regex->matches(text[0]) != negated;
  }
};
struct IsInPrefix {
  AddressPrefix prefix;
  bool operator()(const std::array<Bytes, 1> &text) const { return prefix.contains(text[0]); }
};

}  // namespace

ExpressionKind kind_of(const Expression &expression) {
  switch (expression.kind) {
    case Kind::number: return ExpressionKind::number;
    case Kind::text: return ExpressionKind::text;
    case Kind::field: return ExpressionKind::field;
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

Operand Compiler::operand(const Expression &field) {
  return {place_of_field(field.field.field, fields_), field.field.bucket};
}

Result<NumbersPtr> Compiler::numbers(const Expression &expression, const Expression &user) {
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

Result<ConditionPtr> Compiler::condition(const Expression &expression) {
  if (expression.kind == Kind::field) return make_present(operand(expression));
  const std::string &name = expression.name;
  if (expression.kind == Kind::call) {
    if (name == "and" || name == "or" || name == "not") return joined(expression);
    if (name == "between") return between(expression);
    if (name == "in") return membership(expression);
    if (name == "=~" || name == "!~") return match(expression);
    if (find_relation(name) != nullptr) return comparison(expression);
    const Function *function = find_function(name);
    if (function != nullptr && function->condition != nullptr) {
      return function->condition(expression, this);
    }
  }
  return wrong(expression, "a condition", "compare it, as in (VALUE) != 0");
}

Result<ConditionPtr> Compiler::joined(const Expression &call) {
  std::vector<ConditionPtr> conditions;
  for (const Expression &argument : call.arguments) {
    Result<ConditionPtr> condition = this->condition(argument);
    if (!condition.is_ok()) return condition;
    conditions.push_back(std::move(*condition));
  }
  if (call.name == "not") return make_not(std::move(conditions[0]));
  return call.name == "and" ? make_all(std::move(conditions)) : make_any(std::move(conditions));
}

Result<ConditionPtr> Compiler::comparison(const Expression &call) {
  const NamedRelation &named = *find_relation(call.name);
  const Expression &left = call.arguments[0], &right = call.arguments[1];
  if (left.kind == Kind::field && is_literal(right)) {
    return make_comparison(operand(left), named.relation, literal_of(right));
  }
  if (right.kind == Kind::field && is_literal(left)) {
    return make_comparison(operand(right), named.mirrored, literal_of(left));
  }
  if (is_numeric(left) && is_numeric(right)) {
    Result<NumbersPtr> a = numbers(left, call), b = numbers(right, call);
    if (!a.is_ok()) return a.status();
    if (!b.is_ok()) return b.status();
    return make_number_comparison(std::move(*a), named.relation, std::move(*b));
  }
  const bool bytes = left.kind == Kind::text || right.kind == Kind::text;
  if (!bytes && is_numeric(left)) return mixed_comparison(left, named.relation, right, call);
  if (!bytes && is_numeric(right)) return mixed_comparison(right, named.mirrored, left, call);
  Result<TextsPtr> a = texts(left), b = texts(right);
  if (!a.is_ok()) return a.status();
  if (!b.is_ok()) return b.status();
  return make_value_comparison(std::move(*a), named.relation, std::move(*b), bytes);
}

Result<ConditionPtr> Compiler::mixed_comparison(const Expression &number, Relation relation,
                                                const Expression &value, const Expression &call) {
  Result<NumbersPtr> left = numbers(number, call);
  if (!left.is_ok()) return left.status();
  Result<TextsPtr> right = texts(value);
  if (!right.is_ok()) return right.status();
  return make_mixed_comparison(std::move(*left), relation, std::move(*right));
}

// VALUE >= LEAST and VALUE <= GREATEST
Result<ConditionPtr> Compiler::between(const Expression &call) {
  Expression least{.kind = Kind::call, .name = ">=", .typed = call.typed};
  Expression most{.kind = Kind::call, .name = "<=", .typed = call.typed};
  least.arguments = {call.arguments[0], call.arguments[1]};
  most.arguments = {call.arguments[0], call.arguments[2]};
  return joined({.kind = Kind::call, .name = "and", .arguments = {least, most}});
}

// The first argument is the value, the others are literals. Those without quotes that are
// prefixes of addresses contain addresses; a number is compared as a number.
Result<ConditionPtr> Compiler::membership(const Expression &call) {
  std::vector<ConditionPtr> any;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Expression &item = call.arguments[i];
    const std::optional<AddressPrefix> prefix =
        item.kind == Kind::text ? std::nullopt : AddressPrefix::parse(item.name);
    if (prefix) {
      Result<TextsPtr> address = texts(call.arguments[0]);
      if (!address.is_ok()) return address.status();
      any.push_back(make_text_condition<1>(list_of(std::move(*address)), IsInPrefix{*prefix}));
      continue;
    }
    Arena arena;
    const bool number = is_number(parse_any_number(item.name, &arena));
    Expression equal{.kind = Kind::call, .name = "==", .typed = call.typed};
    equal.arguments = {call.arguments[0], item};
    if (!number) equal.arguments[1].kind = Kind::text;
    Result<ConditionPtr> condition = comparison(equal);
    if (!condition.is_ok()) return condition;
    any.push_back(std::move(*condition));
  }
  return make_any(std::move(any));
}

Result<ConditionPtr> Compiler::match(const Expression &call) {
  Result<std::string> pattern = constant(call.arguments[1], "a regular expression");
  if (!pattern.is_ok()) return pattern.status();
  const bool negated = call.name == "!~";
  if (call.arguments[0].kind == Kind::field) {
    return make_match(operand(call.arguments[0]), *pattern, negated);
  }
  Result<TextsPtr> value = texts(call.arguments[0]);
  if (!value.is_ok()) return value.status();
  Result<std::unique_ptr<Regex>> regex = compile_regex(*pattern);
  if (!regex.is_ok()) return regex.status();
  return make_text_condition<1>(list_of(std::move(*value)),
                                MatchesRegex{std::move(*regex), negated});
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

Result<std::shared_ptr<const ComputedField>> ComputedField::make(Expression expression,
                                                                 const Clock &clock) {
  const std::shared_ptr<ComputedField> field(new ComputedField());
  Compiler compiler(clock, &field->fields_);
  Result<TextsPtr> texts = compiler.texts(expression);
  if (!texts.is_ok()) return texts.status();
  field->texts_ = std::move(*texts);
  if (Result<NumbersPtr> numbers = compiler.numbers(expression, expression); numbers.is_ok()) {
    field->numbers_ = std::move(*numbers);
  }
  field->kind_ = is_numeric(expression) ? ValueKind::number : ValueKind::text;
  field->expression_ = std::move(expression);
  return std::shared_ptr<const ComputedField>(field);
}

Result<ConditionPtr> compile_condition(const Expression &expression, const Clock &clock,
                                       std::vector<FieldName> *fields) {
  return Compiler(clock, fields).condition(expression);
}

bool FieldExpr::is_number() const {
  if (bucket) return bucket->is_number();
  return computed && computed->kind() == ValueKind::number;
}

Result<FieldExpr> computed_field(std::string name, Expression expression, const Clock &clock) {
  FieldExpr field;
  field.text = std::move(name);
  field.field = {expression.typed, kComputedNumber, true};
  Result<std::shared_ptr<const ComputedField>> computed =
      ComputedField::make(std::move(expression), clock);
  if (!computed.is_ok()) return computed.status();
  field.computed = std::move(*computed);
  return field;
}

}  // namespace mrc
