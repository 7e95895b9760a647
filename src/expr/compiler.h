// Compiles parsed expressions to what is evaluated: compiler.cc, compile_conditions.cc and
// compile_comparisons.cc.
#pragma once

#include "expr/computed_field.h"
#include "expr/evaluate.h"

#include <string>
#include <vector>

namespace mrc {

// Says how a comparison treats a value of another kind. An order counts it as missing and notes it;
// equality takes it for unequal.
enum class Misfit { noted, unequal };

// Errors are one line: which part of the expression, what it should be, what it is.
class Compiler {
 public:
  // Fields that are looked at are added.
  Compiler(const Clock &clock, std::vector<FieldName> *fields) : clock_(clock), fields_(fields) {}

  const Clock &clock() const { return clock_; }

  // The kind of the values of an expression; of a field what is known of it.
  FieldKind kind_of(const Expression &expression) const { return form_of(expression).kind; }
  // True if its values are computed as numbers: numbers, durations and times, which are seconds,
  // and truth, which is 0 or 1.
  bool is_numeric(const Expression &expression) const { return form_of(expression).is_numeric; }
  // The kind that the arguments have of which a function is: number, duration or time. Other kinds
  // are taken as numbers. Error: they have several of these.
  Result<ValueKind> measured_kind(const Expression &call) const;

  // Compiles an expression to numbers, to text, or to a condition. `user`: the expression that
  // takes the numbers; messages about invalid values name it.
  Result<NumbersPtr> numbers(const Expression &expression, const Expression &user);
  Result<TextsPtr> texts(const Expression &expression);
  // Does what texts() does, but does not note values of a field without a bucket.
  Result<TextsPtr> texts_of_any(const Expression &expression);
  Result<ConditionPtr> condition(const Expression &expression);
  // The values as numbers that compare as values of the kind do: levels are their ranks.
  Result<NumbersPtr> numbers_as(ValueKind kind, const Expression &expression,
                                const Expression &user, Misfit misfit);
  // The values as keys of a kind that is compared by keys.
  Result<TextsPtr> order_keys(ValueKind kind, const Expression &expression, const Expression &user,
                              Misfit misfit, bool is_left = true);
  // The text of a constant; `what` it is, for messages.
  Result<std::string> constant(const Expression &expression, std::string_view what);
  // A regular expression, as typed.
  Result<std::string> pattern(const Expression &expression);
  // An integer that is a constant.
  Result<i64> integer(const Expression &expression, std::string_view what);
  // All arguments of a call.
  Result<std::vector<NumbersPtr>> all_numbers(const Expression &call);
  Result<std::vector<TextsPtr>> all_texts(const Expression &call);
  // The context of times that are text of this value.
  Result<TimeContext> time_context(const Expression &value) const;

 private:
  // A comparison with a value that is the same for all records.
  struct WithConstant {
    const Expression &value;
    Relation relation;
    const Constant &constant;
    const Expression &call;

    bool asks_equality() const {
      return relation == Relation::equal || relation == Relation::unequal;
    }
    Misfit misfit() const { return asks_equality() ? Misfit::unequal : Misfit::noted; }
  };

  struct Form {
    FieldKind kind;
    bool is_numeric;
  };
  Form form_of(const Expression &expression) const;
  Form form_of_call(const Expression &call) const;
  Form form_of_choice(const Expression &call, i64 conditions) const;
  DateOrder dates_in(const Expression &expression) const;
  Result<ValueKind> kind_of_arithmetic(const Expression &call) const;
  Status check_arithmetic(const Expression &expression) const;
  Result<NumbersPtr> arithmetic(const Expression &call);
  Result<ConditionPtr> comparison(const Expression &call);
  Result<ConditionPtr> compare_with(const WithConstant &of);
  Result<ConditionPtr> compare_as(const WithConstant &of, const Constant &meant);
  Result<ConditionPtr> compare_times(const WithConstant &of, TimeSpan span);
  Result<ConditionPtr> compare_texts(const WithConstant &of, const Constant &text);
  Result<ConditionPtr> compare_two(const Expression &left, Relation relation,
                                   const Expression &right, const Expression &call);
  Result<ValueKind> common_kind(const Expression &left, const Expression &right,
                                const Expression &call) const;
  Result<Constant> meaning_of(const WithConstant &of) const;
  Status check_meets(const WithConstant &of, const Constant &meant) const;
  void explain(const Expression &comparison, ValueKind as) const;
  Status check_field(const Expression &operand) const;
  Result<ConditionPtr> between(const Expression &call);
  Result<ConditionPtr> membership(const Expression &call);
  Result<ConditionPtr> match(const Expression &call);
  Result<ConditionPtr> joined(const Expression &call);
  Operand operand(const Expression &field);
  std::vector<i64> places_of(const ComputedField &computed);

  const Clock &clock_;
  std::vector<FieldName> *fields_;
};

// The place of the field in the list; appended if it is new.
i64 place_of_field(const FieldName &field, std::vector<FieldName> *fields);

// The condition that an expression is. Fields it looks at are added.
Result<ConditionPtr> compile_condition(const Expression &expression, const Clock &clock,
                                       std::vector<FieldName> *fields);

// True for the sign of a comparison, such as <=.
bool is_comparison(std::string_view sign);
// True for numbers, and for truth, which is 1 or 0.
constexpr bool is_quantity(ValueKind kind) {
  return kind == ValueKind::number || kind == ValueKind::truth;
}
// Whether it is read of the input, and not computed by an item before it.
bool is_input_field(const Expression &expression);
// The field whose values are read as the kind: without a bucket that gives them its one form.
Expression without_form(Expression field, ValueKind kind);
// "TYPED where SHOULD_BE should be: WHAT".
Status wrong(const Expression &expression, std::string_view should_be, std::string_view what);

}  // namespace mrc
