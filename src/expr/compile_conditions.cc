// Conditions, and what is made of several of them. Comparisons are in compile_comparisons.cc.
#include "expr/compiler.h"
#include "expr/functions.h"
#include "expr/kind_values.h"
#include "expr/membership.h"
#include "expr/value_cache.h"
#include "expr/value_nodes.h"
#include "regex/regex.h"

#include <fmt/format.h>

namespace mrc {
namespace {

using Kind = Expression::Kind;

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
  if (named && named->kind().kind == ValueKind::truth) {
    return make_constant_comparison(make_named_numbers(named, places_of(*named)), Relation::equal,
                                    "1");
  }
  if (is_input_field(expression)) {
    return wrong(
        expression, "a condition",
        fmt::format("whether there is a value is has({0}); whether it is true, {0} == true",
                    expression.typed));
  }
  const std::string &name = expression.name;
  if (expression.kind == Kind::call) {
    if (name == "and" || name == "or" || name == "not") return joined(expression);
    if (name == "between") return between(expression);
    if (name == "in") return membership(expression);
    if (name == "=~" || name == "!~") return match(expression);
    if (is_comparison(name)) return comparison(expression);
    const Function *function = find_function(name);
    if (function != nullptr && function->condition != nullptr) {
      return function->condition(expression, this);
    }
    if (kind_of(expression).kind == ValueKind::truth) {
      Result<NumbersPtr> truth = numbers(expression, expression);
      if (!truth.is_ok()) return truth.status();
      return make_constant_comparison(std::move(*truth), Relation::equal, "1");
    }
  }
  if (expression.kind == Kind::constant) {
    return wrong(expression, "a condition", "it has no field, and is the same for all records");
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

// VALUE >= LEAST and VALUE <= GREATEST
Result<ConditionPtr> Compiler::between(const Expression &call) {
  Expression least{.kind = Kind::call, .name = ">=", .typed = call.typed};
  Expression most{.kind = Kind::call, .name = "<=", .typed = call.typed};
  least.arguments = {call.arguments[0], call.arguments[1]};
  most.arguments = {call.arguments[0], call.arguments[2]};
  return joined({.kind = Kind::call, .name = "and", .arguments = {least, most}});
}

// The first argument is the value. Constants that are numbers, text or addresses are looked up
// together; each of the others is a comparison.
Result<ConditionPtr> Compiler::membership(const Expression &call) {
  const Expression &value = call.arguments[0];
  ValueSet constants;
  std::vector<ConditionPtr> any;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Expression &item = call.arguments[i];
    if (item.kind == Kind::constant && value.kind != Kind::constant) {
      const WithConstant of{value, Relation::equal, item.constant, call};
      const Result<Constant> meant = meaning_of(of);
      if (!meant.is_ok()) return meant.status();
      if (Status status = check_meets(of, *meant); !status.is_ok()) return status;
      if (constants.add(*meant)) {
        explain(call, meant->kind);
        continue;
      }
    }
    Expression equal{.kind = Kind::call, .name = "==", .typed = call.typed};
    equal.arguments = {value, item};
    Result<ConditionPtr> condition = comparison(equal);
    if (!condition.is_ok()) return condition;
    any.push_back(std::move(*condition));
  }
  if (!constants.empty()) {
    const auto &bucket = value.field.bucket;
    const bool is_kind = bucket && bucket->is_form();  // equality does not note what is of another
    Result<TextsPtr> texts = is_kind ? texts_of_any(value) : this->texts(value);
    if (!texts.is_ok()) return texts.status();
    any.push_back(make_membership(std::move(*texts), std::move(constants)));
  }
  return make_any(std::move(any));
}

Result<ConditionPtr> Compiler::match(const Expression &call) {
  const std::string &pattern = call.arguments[1].constant.pattern;
  const bool negated = call.name == "!~";
  if (is_input_field(call.arguments[0]) && call.arguments[0].field.is_plain()) {
    return make_match(operand(call.arguments[0]), pattern, negated);
  }
  Result<TextsPtr> value = texts(call.arguments[0]);
  if (!value.is_ok()) return value.status();
  Result<std::unique_ptr<Regex>> regex = compile_regex(pattern);
  if (!regex.is_ok()) return regex.status();
  return make_text_condition<1>(list_of(std::move(*value)),
                                MatchesRegex{std::move(*regex), negated});
}

Result<ConditionPtr> compile_condition(const Expression &expression, const Clock &clock,
                                       std::vector<FieldName> *fields) {
  return Compiler(clock, fields).condition(expression);
}

}  // namespace mrc
