// A field that is computed from others, a batch of records at a time.
#pragma once

#include "base/number.h"
#include "expr/expression.h"

#include <memory>
#include <vector>

namespace mrc {

template <typename Value>
class Values;

// Immutable, thread safe.
class ComputedField {
 public:
  // Fails if an operand is of the wrong kind.
  static Result<std::shared_ptr<const ComputedField>> make(Expression expression,
                                                           const Clock &clock);

  const Expression &expression() const { return expression_; }
  // The kind of the values as their text shows them: a duration is a number of seconds.
  const FieldKind &kind() const { return kind_; }
  // True if values are shown as numbers. Otherwise a caller that needs a number parses the text.
  // Another name for a field is text, as the field is.
  bool is_number() const { return is_numeric_ && kind_.kind != ValueKind::time; }
  // True if values are computed as numbers: times are seconds since 1970.
  bool is_numeric() const { return is_numeric_; }
  // Returns the field for which this is another name, or null.
  const FieldExpr *copied() const;
  // The fields that it reads, in the order of FilterInput::columns.
  const std::vector<FieldName> &fields() const { return fields_; }
  // Null if values are never numbers, as in 'abc'.
  const Values<Number> *numbers() const { return numbers_.get(); }
  const Values<Bytes> &texts() const { return *texts_; }

 private:
  ComputedField() = default;

  Expression expression_;
  FieldKind kind_ = {ValueKind::text};
  bool is_numeric_ = false;
  std::vector<FieldName> fields_;
  std::shared_ptr<const Values<Number>> numbers_;
  std::shared_ptr<const Values<Bytes>> texts_;
};

}  // namespace mrc
