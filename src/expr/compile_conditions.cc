// Conditions: how two sides are compared, and what is made of several conditions.
#include "expr/compiler.h"
#include "expr/functions.h"
#include "expr/membership.h"
#include "expr/value_cache.h"
#include "expr/value_nodes.h"
#include "regex/regex.h"

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

Literal literal_of(const Expression &expression) {
  return {expression.name, expression.kind == Kind::text};
}

// A rule of text alone.
struct MatchesRegex {
  std::unique_ptr<const Regex> regex;
  bool negated;
  bool operator()(const std::array<Bytes, 1> &text) const {
    return regex->matches(text[0]) != negated;
  }
};

}  // namespace

Result<ConditionPtr> Compiler::condition(const Expression &expression) {
  const auto &named = expression.field.computed;
  if (named && named->is_truth()) {
    return make_number_comparison(make_named_numbers(named, places_of(*named)), Relation::equal,
                                  make_constant_numbers("1"));
  }
  if (is_input_field(expression)) return make_present(operand(expression));
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
  if (is_input_field(left) && is_literal(right)) {
    return make_comparison(operand(left), named.relation, literal_of(right));
  }
  if (is_input_field(right) && is_literal(left)) {
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

// The first argument is the value. Of the others, those without quotes that are prefixes of
// addresses contain addresses; a number is compared as a number. Literals are looked up together.
Result<ConditionPtr> Compiler::membership(const Expression &call) {
  const Expression &value = call.arguments[0];
  ValueSet literals;
  std::vector<ConditionPtr> any;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Expression &item = call.arguments[i];
    if (is_literal(item)) {
      literals.add(item.name, item.kind == Kind::text);
      continue;
    }
    Expression equal{.kind = Kind::call, .name = "==", .typed = call.typed};
    equal.arguments = {value, item};
    Result<ConditionPtr> condition = comparison(equal);
    if (!condition.is_ok()) return condition;
    any.push_back(std::move(*condition));
  }
  if (!literals.empty()) {
    Result<TextsPtr> texts = this->texts(value);
    if (!texts.is_ok()) return texts.status();
    any.push_back(make_membership(std::move(*texts), std::move(literals)));
  }
  return make_any(std::move(any));
}

Result<ConditionPtr> Compiler::match(const Expression &call) {
  Result<std::string> pattern = constant(call.arguments[1], "a regular expression");
  if (!pattern.is_ok()) return pattern.status();
  const bool negated = call.name == "!~";
  if (is_input_field(call.arguments[0])) {
    return make_match(operand(call.arguments[0]), *pattern, negated);
  }
  Result<TextsPtr> value = texts(call.arguments[0]);
  if (!value.is_ok()) return value.status();
  Result<std::unique_ptr<Regex>> regex = compile_regex(*pattern);
  if (!regex.is_ok()) return regex.status();
  return make_text_condition<1>(list_of(std::move(*value)),
                                MatchesRegex{std::move(*regex), negated});
}

Result<ConditionPtr> compile_condition(const Expression &expression, const Clock &clock,
                                       std::vector<FieldName> *fields) {
  return Compiler(clock, fields).condition(expression);
}

}  // namespace mrc
