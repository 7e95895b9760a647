// Compiles conditions and their combinations. compile_comparisons.cc compiles comparisons.
#include "base/number.h"
#include "expr/inner/compiler.h"
#include "expr/inner/functions.h"
#include "expr/inner/kind_values.h"
#include "expr/inner/membership.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

namespace mrc {

using Kind = Expression::Kind;

ConditionPtr Compiler::condition(const Expression &expression) {
  if (!status_.is_ok()) return nullptr;
  const auto &named = expression.field.computed;
  if (named && named->kind().kind == ValueKind::truth) {
    return make_constant_comparison(make_named<Number>(named, places_of(*named)), Relation::equal,
                                    "1");
  }
  if (is_input_field(expression)) {
    return fail(
        wrong(expression, "a condition",
              fmt::format("whether there is a value is has({0}); whether it is true, {0} == true",
                          expression.typed)));
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
      return make_constant_comparison(numbers(expression, expression), Relation::equal, "1");
    }
  }
  const bool is_constant = expression.kind == Kind::constant;
  return fail(wrong(expression, "a condition",
                    is_constant
                        ? "it has no field, and is the same for all records; one of several "
                          "values is x in (A, B), and text in the record contains($0, 'text')"
                        : "compare it, as in (VALUE) != 0"));
}

ConditionPtr Compiler::joined(const Expression &call) {
  std::vector<ConditionPtr> conditions;
  for (const Expression &argument : call.arguments) conditions.push_back(condition(argument));
  if (call.name == "not") return make_not(std::move(conditions[0]));
  return call.name == "and" ? make_all(std::move(conditions)) : make_any(std::move(conditions));
}

// Notes bounds between which there is nothing.
void Compiler::note_bounds(const Expression &call) const {
  const Expression &least = call.arguments[1], &most = call.arguments[2];
  const ValueKind kind = least.constant.kind;
  const bool are_alike = least.is_constant(kind) && most.is_constant(kind);
  if (!are_alike) return;
  Arena arena;
  const Number a = parse_any_number(least.constant.text, &arena),
               b = parse_any_number(most.constant.text, &arena);
  const bool are_numbers = is_number(a) && is_number(b) && kind != ValueKind::time;
  const bool is_reversed =
      (are_numbers && compare_numbers(a, b) > 0) ||
      (kind == ValueKind::time && least.constant.span.begin > most.constant.span.begin) ||
      (kind == ValueKind::address && least.constant.range.first > most.constant.range.last);
  if (!is_reversed) return;
  note(
      "{}: {} is after {}, so nothing is between them; the smaller one comes first, and outside of "
      "both is x < {} or x > {}",
      call.typed, least.typed, most.typed, most.typed, least.typed);
}

// Compiles VALUE >= LEAST and VALUE <= GREATEST.
ConditionPtr Compiler::between(const Expression &call) {
  const std::vector<Expression> &of = call.arguments;
  note_bounds(call);
  const auto bound = [&](std::string sign, const Expression &limit) {
    return Expression{.kind = Kind::call,
                      .name = std::move(sign),
                      .arguments = {of[0], limit},
                      .typed = call.typed};
  };
  return joined(
      {.kind = Kind::call, .name = "and", .arguments = {bound(">=", of[1]), bound("<=", of[2])}});
}

// Compiles `in`; the first argument is the value. Constant numbers, texts and addresses are looked
// up together; every other argument is a comparison.
ConditionPtr Compiler::membership(const Expression &call) {
  const Expression &value = call.arguments[0], &first = call.arguments[1];
  const bool is_part = value.is_constant(ValueKind::text) && call.arguments.size() == 2;
  if (is_part && first.kind != Kind::constant) {
    const bool is_list = kind_of(first).kind == ValueKind::structure;
    const std::string &text = value.constant.text;
    return fail("{}: whether a {} is contains({}, {})", call.typed,
                is_list ? "list has a text" : "text has a part", first.typed,
                is_list ? fmt::format("'\"{}\"'", text) : value.typed);
  }
  const bool is_one_text = call.arguments.size() == 2 && first.is_constant(ValueKind::text);
  if (is_one_text && first.constant.text.find(',') != std::string::npos) {
    note("{}: '{}' is one text; several are x in ('a', 'b')", call.typed, first.constant.text);
  }
  ValueSet constants;
  std::vector<ConditionPtr> any;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Expression &item = call.arguments[i];
    if (item.kind == Kind::constant && value.kind != Kind::constant) {
      const WithConstant of{value, Relation::equal, item.constant, call};
      const Result<Constant> meant = meaning_of(of);
      if (!meant.is_ok()) return fail(meant.status());
      if (Status status = check_meets(of, *meant); !status.is_ok()) return fail(status);
      note_text(of, *meant);
      if (constants.add(*meant)) {
        explain(call, meant->kind);
        continue;
      }
    }
    any.push_back(comparison(
        {.kind = Kind::call, .name = "==", .arguments = {value, item}, .typed = call.typed}));
    if (!status_.is_ok()) return nullptr;
  }
  if (!constants.empty()) {
    const auto &bucket = value.field.bucket;
    // Equality does not note values of another kind.
    const bool is_value = bucket && bucket->is_value();
    TextsPtr texts = is_value ? texts_of_any(value) : this->texts(value);
    constants.complete();
    const auto set = std::make_shared<const ValueSet>(std::move(constants));
    auto rule = [set](const Here &, Bytes text) { return set->contains(text); };
    const auto say = [set](const FieldBounds &bounds) {
      return Outlook{.holds = set->may_contain(bounds), .notes = false};
    };
    const i64 field = texts == nullptr ? -1 : texts->field();
    any.push_back(make_foreseen_of(field, make_condition(std::move(rule), std::move(texts)), say));
  }
  return make_any(std::move(any));
}

ConditionPtr Compiler::match(const Expression &call) {
  const bool negated = call.name == "!~";
  TextsPtr texts = this->texts(call.arguments[0]);
  const std::string &pattern = call.arguments[1].constant.pattern;
  if (pattern.size() > 3 && pattern.starts_with('/') && pattern.ends_with("/i")) {
    note("{}: the slashes are characters; in any case, x =~ '(?i){}'", call.typed,
         pattern.substr(1, pattern.size() - 3));
  }
  auto rule = [regex = regex(call.arguments[1]), negated](const Here &, Bytes text) {
    return regex->matches(text) != negated;
  };
  const i64 field = texts == nullptr ? -1 : texts->field();
  return make_silent(field, make_condition(std::move(rule), std::move(texts)));
}

}  // namespace mrc
