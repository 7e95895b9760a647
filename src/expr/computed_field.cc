#include "expr/computed_field.h"

#include "expr/inner/compiler.h"
#include "kinds/time_text.h"

namespace mrc {

Result<std::shared_ptr<const ComputedField>> ComputedField::make(Expression expression,
                                                                 const Clock &clock) {
  const std::shared_ptr<ComputedField> field(new ComputedField());
  Compiler compiler(clock, &field->fields_), numbers(clock, &field->fields_);
  field->texts_ = compiler.texts(expression);
  if (!compiler.status().is_ok()) return compiler.status();
  field->numbers_ = numbers.numbers(expression, expression);
  if (!numbers.status().is_ok()) field->numbers_ = nullptr;
  field->kind_ = compiler.kind_of(expression);
  field->is_numeric_ = compiler.is_numeric(expression);
  const bool are_seconds = field->is_numeric_ && field->kind_.kind == ValueKind::duration;
  if (are_seconds) field->kind_.unit_ns = kSecond;
  field->expression_ = std::move(expression);
  return std::shared_ptr<const ComputedField>(field);
}

const FieldExpr *ComputedField::copied() const {
  return is_input_field(expression_) ? &expression_.field : nullptr;
}

bool FieldExpr::is_number() const {
  if (bucket) return bucket->is_number();
  if (!computed) return false;
  const FieldExpr *copied = computed->copied();
  return computed->is_number() || (copied != nullptr && copied->is_number());
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
