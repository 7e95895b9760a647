// Results that are computed of the columns of a group: they are the fields of a record, of which
// there is one for each group.
#pragma once

#include "combine/combine.h"
#include "expr/computed_field.h"
#include "expr/expression.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Computes a result from columns, its inputs. Immutable, thread safe.
class Formula {
 public:
  struct Input {
    Column column;
    // Stands for the input where it is taken as a number. Null if it is taken as text.
    std::shared_ptr<const ComputedField> number = {};
  };
  // `computed` looks at fields with the numbers of the inputs, from 1. `contexts` own what the
  // inputs point to.
  Formula(std::vector<Input> inputs, std::shared_ptr<const ComputedField> computed,
          const NumberStyle &style, std::vector<std::shared_ptr<const void>> contexts);

  const std::vector<Input> &inputs() const { return inputs_; }
  const ComputedField &computed() const { return *computed_; }
  const NumberStyle &style() const { return style_; }
  // The input of each field of the computed one, by field.
  const std::vector<size_t> &fields() const { return fields_; }
  // True if results are numbers, false if they are text.
  bool is_number() const { return computed_->is_number(); }

 private:
  std::vector<Input> inputs_;
  std::shared_ptr<const ComputedField> computed_;
  NumberStyle style_;
  std::vector<std::shared_ptr<const void>> contexts_;
  std::vector<size_t> fields_;
};

// Stands in the place of an input of a formula: field number i, from 1.
// `kind`: what is known of the column's values.
Expression input_field(const std::string &typed, i64 number, FieldKind kind);
// Puts an input in the place of an expression, whose bucket stays unless the name includes it.
void put_input(const Column &column, i64 number, Expression *expression);
FieldKind kind_of_column(const Column &column);
// An input that shows the column of that name, if there is one: as typed, or without quotes.
std::optional<Column> find_column(const Aggregation &aggregation, const Expression &named);
// Compiles the expression, whose fields are the inputs.
Result<std::shared_ptr<const Formula>> make_formula(
    Expression expression, std::vector<Column> inputs, const Clock &clock,
    const NumberStyle &style = {}, std::vector<std::shared_ptr<const void>> contexts = {});
// A column that shows it.
Column formula_column(std::string name, std::shared_ptr<const Formula> formula);

}  // namespace mrc
