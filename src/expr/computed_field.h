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
  ValueKind kind() const { return kind_; }
  // True if values are shown as numbers. Otherwise a caller that needs a number parses the text.
  bool is_number() const {
    return kind_ == ValueKind::number || kind_ == ValueKind::duration || kind_ == ValueKind::truth;
  }
  // What it looks at, in the order of FilterInput::columns.
  const std::vector<FieldName> &fields() const { return fields_; }
  // Null if there is no number in it, as in 'abc'.
  const NumberValues *numbers() const { return numbers_.get(); }
  const TextValues &texts() const { return *texts_; }

 private:
  ComputedField() = default;

  Expression expression_;
  ValueKind kind_ = ValueKind::text;
  std::vector<FieldName> fields_;
  std::shared_ptr<const NumberValues> numbers_;
  std::shared_ptr<const TextValues> texts_;
};

}  // namespace mrc
