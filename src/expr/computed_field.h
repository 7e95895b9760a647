// A field that is computed of others, for a batch of records at a time.
#pragma once

#include "expr/expression.h"

#include <memory>
#include <vector>

namespace mrc {

class NumberValues;
class TextValues;

// Immutable, thread safe.
class ComputedField {
 public:
  // Error: an operand is of the wrong kind.
  static Result<std::shared_ptr<const ComputedField>> make(Expression expression,
                                                           const Clock &clock);

  const Expression &expression() const { return expression_; }
  // The kind of the values as their text shows them: a duration is a number of seconds.
  const FieldKind &kind() const { return kind_; }
  // True if values are shown as numbers. Otherwise a caller that needs a number parses the text.
  // Another name for a field is text, as the field is.
  bool is_number() const { return is_numeric_ && kind_.kind != ValueKind::time; }
  // True if they are computed as numbers: times are seconds since 1970.
  bool is_numeric() const { return is_numeric_; }
  // The field that it is another name for; null: none.
  const FieldExpr *copied() const;
  // What it looks at, in the order of FilterInput::columns.
  const std::vector<FieldName> &fields() const { return fields_; }
  // Null if there is no number in it, as in 'abc'.
  const NumberValues *numbers() const { return numbers_.get(); }
  const TextValues &texts() const { return *texts_; }

 private:
  ComputedField() = default;

  Expression expression_;
  FieldKind kind_ = {ValueKind::text};
  bool is_numeric_ = false;
  std::vector<FieldName> fields_;
  std::shared_ptr<const NumberValues> numbers_;
  std::shared_ptr<const TextValues> texts_;
};

}  // namespace mrc
