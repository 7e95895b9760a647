// Compiles parsed expressions to what is evaluated: compiler.cc, and compile_conditions.cc.
#pragma once

#include "expr/computed_field.h"
#include "expr/evaluate.h"

#include <string>
#include <vector>

namespace mrc {

// Errors are one line: which part of the expression, what it should be, what it is.
class Compiler {
 public:
  // Fields that are looked at are added.
  Compiler(const Clock &clock, std::vector<FieldName> *fields) : clock_(clock), fields_(fields) {}

  const Clock &clock() const { return clock_; }

  // Compiles an expression to numbers, to text, or to a condition. `user`: the expression that
  // takes the numbers; messages about invalid values name it.
  Result<NumbersPtr> numbers(const Expression &expression, const Expression &user);
  Result<TextsPtr> texts(const Expression &expression);
  Result<ConditionPtr> condition(const Expression &expression);
  // The text of a constant; `what` it is, for messages.
  Result<std::string> constant(const Expression &expression, std::string_view what);
  // An integer that is a constant.
  Result<i64> integer(const Expression &expression, std::string_view what);
  // All arguments of a call.
  Result<std::vector<NumbersPtr>> all_numbers(const Expression &call);
  Result<std::vector<TextsPtr>> all_texts(const Expression &call);

 private:
  Result<NumbersPtr> arithmetic(const Expression &call);
  Result<ConditionPtr> comparison(const Expression &call);
  Result<ConditionPtr> mixed_comparison(const Expression &number, Relation relation,
                                        const Expression &value, const Expression &call);
  Result<ConditionPtr> between(const Expression &call);
  Result<ConditionPtr> membership(const Expression &call);
  Result<ConditionPtr> match(const Expression &call);
  Result<ConditionPtr> joined(const Expression &call);
  Operand operand(const Expression &field);
  std::vector<i64> places_of(const ComputedField &computed);

  const Clock &clock_;
  std::vector<FieldName> *fields_;
};

// The condition that an expression is. Fields it looks at are added.
Result<ConditionPtr> compile_condition(const Expression &expression, const Clock &clock,
                                       std::vector<FieldName> *fields);

enum class ExpressionKind { number, text, truth, field };
// The kind of an expression's values. A field may have values of any kind.
ExpressionKind kind_of(const Expression &expression);
// Whether they are numbers, or conditions, which are 0 or 1 as numbers.
bool is_numeric(const Expression &expression);
bool is_literal(const Expression &expression);
// Whether it is read of the input, and not computed by an item before it.
bool is_input_field(const Expression &expression);
// "TYPED where SHOULD_BE should be: WHAT".
Status wrong(const Expression &expression, std::string_view should_be, std::string_view what);

}  // namespace mrc
