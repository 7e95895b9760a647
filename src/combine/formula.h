// Results that are computed from the columns of a group, and conditions on groups.
#pragma once

#include "combine/combine.h"
#include "expr/computed_field.h"
#include "expr/expression.h"
#include "map/key_parts.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Results that are computed from the columns of a group. The columns are the fields of a record,
// and each group is one record.

// Computes a result from columns, its inputs. Immutable, thread safe.
class Formula {
 public:
  struct Input {
    Column column;
    // Replaces the input where it is taken as a number. Null if it is taken as text.
    std::shared_ptr<const ComputedField> number = {};
  };
  // `computed` addresses the inputs by their numbers, from 1. `contexts` own the data that inputs
  // point to.
  Formula(std::vector<Input> inputs, std::shared_ptr<const ComputedField> computed,
          const NumberStyle &style, std::vector<std::shared_ptr<const void>> contexts);

  const std::vector<Input> &inputs() const { return inputs_; }
  const ComputedField &computed() const { return *computed_; }
  const NumberStyle &style() const { return style_; }
  // Maps each field of computed() to the index of its input.
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

// Makes an expression for input number `number` of a formula, from 1. `kind` is the kind of the
// column.
Expression input_field(const std::string &typed, i64 number, FieldKind kind);
// Replaces an expression by an input. Its bucket stays, unless the column's name includes it.
void put_input(const Column &column, i64 number, Expression *expression);
FieldKind kind_of_column(const Column &column);
// Returns the column with that name, as typed or without quotes, if there is one.
std::optional<Column> find_column(const Aggregation &aggregation, const Expression &named);
// Compiles an expression whose fields are the inputs.
Result<std::shared_ptr<const Formula>> make_formula(
    Expression expression, std::vector<Column> inputs, const Clock &clock,
    const NumberStyle &style = {}, std::vector<std::shared_ptr<const void>> contexts = {});
// Makes a column that shows the formula.
Column formula_column(std::string name, std::shared_ptr<const Formula> formula);

// Expressions about groups: --having and --by. They name columns of the key, and aggregates as they
// were typed.

// Compiles a condition on groups. The formula gives 1 for groups that satisfy it.
Result<std::shared_ptr<const Formula>> parse_having(std::string_view text, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock);

// Returns a column that is not shown and orders groups. Fails if the text is not an expression, or
// has no column, or is a name that no column has.
Result<std::shared_ptr<const Column>> parse_order(std::string_view text, const KeyShape &key,
                                                  const Aggregation &aggregation,
                                                  const Clock &clock);

// Returns a column that orders groups by the kind of a column's values (expr/kind_order.h). Null if
// the column has numbers or text, or if there is none of that name.
Result<std::shared_ptr<const Column>> kind_order_of(const std::string &column, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock);

}  // namespace mrc
