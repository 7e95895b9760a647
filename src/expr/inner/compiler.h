// Compiles parsed expressions to a form that can be evaluated: compiler.cc, compile_conditions.cc,
// compile_comparisons.cc and check_comparisons.cc.
#pragma once

#include "base/make_error.h"
#include "expr/computed_field.h"
#include "expr/inner/conditions.h"
#include "expr/inner/kind_values.h"
#include "regex/regex.h"

#include <string>
#include <vector>

namespace mrc {

// How a comparison treats a value of another kind. An order comparison notes it and takes it as
// missing; equality takes it as unequal.
enum class Misfit { noted, unequal };

// Errors are one line: the part of the expression, what it should be, and what it is. The first
// error is kept; after it, nothing is compiled, and results are null or empty.
class Compiler {
 public:
  // Appends the fields that expressions read to `fields`.
  Compiler(const Clock &clock, std::vector<FieldName> *fields) : clock_(clock), fields_(fields) {}

  const Clock &clock() const { return clock_; }
  const Status &status() const { return status_; }
  std::nullptr_t fail(const Status &status) {
    if (status_.is_ok()) status_ = status;
    return nullptr;
  }
  template <typename... Args>
  std::nullptr_t fail(fmt::format_string<Args...> form, Args &&...args) {
    return fail(make_error(form, std::forward<Args>(args)...));
  }

  // Takes a note for the user on how an expression is understood.
  template <typename... Args>
  void note(fmt::format_string<Args...> form, Args &&...args) const {
    if (clock_.kinds != nullptr) clock_.kinds->note(fmt::format(form, std::forward<Args>(args)...));
  }

  // Returns the kind of the values of an expression. The kind of a field may be unknown.
  FieldKind kind_of(const Expression &expression) const { return form_of(expression).kind; }
  // True if values are computed as numbers: numbers, durations, times as seconds, and truth as 0 or
  // 1.
  bool is_numeric(const Expression &expression) const { return form_of(expression).is_numeric; }
  // Returns the kind of a function's arguments, which is also the kind of its result: number,
  // duration or time. Other kinds count as numbers. Fails if the arguments are of several of these
  // kinds.
  Result<ValueKind> measured_kind(const Expression &call) const;

  // Compile an expression to numbers, to text, or to a condition. `user` is the expression that
  // takes the numbers; messages about invalid values name it.
  NumbersPtr numbers(const Expression &expression, const Expression &user);
  TextsPtr texts(const Expression &expression);
  template <typename Value>
  ValuesPtr<Value> values(const Expression &expression, const Expression &user) {
    if constexpr (std::is_same_v<Value, Number>) return numbers(expression, user);
    if constexpr (std::is_same_v<Value, Bytes>) return texts(expression);
  }
  // Does what texts() does, but takes a constant number as it is typed, as in startswith(ip, 10.0).
  TextsPtr typed_texts(const Expression &expression);
  // Does what texts() does, but does not note values of a field without a bucket.
  TextsPtr texts_of_any(const Expression &expression);
  ConditionPtr condition(const Expression &expression);
  // Compiles values to numbers that compare as values of the kind do: levels are their ranks.
  NumbersPtr numbers_as(ValueKind kind, const Expression &expression, const Expression &user,
                        Misfit misfit);
  // Compiles values to the keys of a kind that is compared by keys.
  TextsPtr order_keys(ValueKind kind, const Expression &expression, const Expression &user,
                      Misfit misfit, bool is_left = true);
  // Returns the text of a constant; `what` names it in messages.
  std::string constant(const Expression &expression, std::string_view what);
  // Compiles a regular expression.
  std::unique_ptr<const Regex> regex(const Expression &expression);
  // Returns a constant integer.
  i64 integer(const Expression &expression, std::string_view what);
  // Compiles all arguments of a call.
  template <typename Value>
  std::vector<ValuesPtr<Value>> all(const Expression &call) {
    std::vector<ValuesPtr<Value>> all;
    for (const Expression &argument : call.arguments) all.push_back(values<Value>(argument, call));
    return all;
  }
  // Returns the context in which times in the text of this value are read.
  TimeContext time_context(const Expression &value) const;

 private:
  // A comparison with a value that is equal for all records.
  struct WithConstant {
    const Expression &value;
    Relation relation;
    const Constant &constant;
    const Expression &call;

    bool asks_equality() const {
      return relation == Relation::equal || relation == Relation::unequal;
    }
    Misfit misfit() const { return asks_equality() ? Misfit::unequal : Misfit::noted; }
    // The reason to note a value that is not of the kind; empty: it is not noted.
    std::string reason(ValueKind kind) const {
      return asks_equality() ? "" : reason_not_of_kind(kind, value, call);
    }
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
  NumbersPtr arithmetic(const Expression &call);
  ConditionPtr comparison(const Expression &call);
  ConditionPtr compare_with(const WithConstant &of);
  ConditionPtr compare_as(const WithConstant &of, const Constant &meant);
  ConditionPtr compare_times(const WithConstant &of, TimeSpan span);
  ConditionPtr compare_two(const Expression &left, Relation relation, const Expression &right,
                           const Expression &call);
  Result<ValueKind> common_kind(const Expression &left, const Expression &right,
                                const Expression &call) const;
  Result<Constant> meaning_of(const WithConstant &of) const;
  static Status not_of_kind(const WithConstant &of, ValueKind kind);
  Status check_meets(const WithConstant &of, const Constant &meant) const;
  Status check_equals(const WithConstant &of, const FieldKind &kind) const;
  Status check_name(const WithConstant &of, const Constant &meant) const;
  void note_bytes(const WithConstant &of) const;
  void note_text(const WithConstant &of, const Constant &meant) const;
  void note_pattern(const WithConstant &of) const;
  void note_zones(const Expression &field, const Expression &other) const;
  void note_unlike(const WithConstant &of, ValueKind kind) const;
  void explain(const Expression &comparison, ValueKind as) const;
  Status check_field(const Expression &operand) const;
  void note_bounds(const Expression &call) const;
  ConditionPtr between(const Expression &call);
  ConditionPtr membership(const Expression &call);
  ConditionPtr match(const Expression &call);
  ConditionPtr joined(const Expression &call);
  TextsPtr field_texts(const FieldExpr &field, bool notes);
  std::vector<i64> places_of(const ComputedField &computed);

  const Clock &clock_;
  std::vector<FieldName> *fields_;
  Status status_ = Status::ok();
};

// Returns the index of the field in the list, to which a new field is appended.
i64 place_of_field(const FieldName &field, std::vector<FieldName> *fields);

// True for the sign of an operation, such as *.
bool is_sign(std::string_view name);
// True for numbers, and for truth, which is 1 or 0.
constexpr bool is_quantity(ValueKind kind) {
  return kind == ValueKind::number || kind == ValueKind::truth;
}
constexpr bool is_text_or_unknown(ValueKind kind) {
  return kind == ValueKind::text || kind == ValueKind::unknown;
}
// True if the field is read from the input, and not computed by an earlier item.
bool is_input_field(const Expression &expression);
// Returns the field without the bucket that gives values of the kind their one form.
Expression without_form(Expression field, ValueKind kind);
// Returns the error "TYPED where SHOULD_BE should be: WHAT".
Status wrong(const Expression &expression, std::string_view should_be, std::string_view what);

}  // namespace mrc
