// Results that are computed of the columns of a group: they are the fields of a record, of which
// there is one for each group.
#pragma once

#include "base/number.h"
#include "combine/aggregates.h"
#include "expr/computed_field.h"
#include "expr/expression.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct FilterInput;

// Stands in the place of an input of a formula: field number i, from 1.
Expression input_field(const std::string &typed, i64 number);
// An input that shows the column of that name, if there is one: as typed, or without quotes.
std::optional<Column> find_column(const Aggregation &aggregation, const Expression &named);

class ComputedResult : public Formula {
 public:
  // `computed` looks at fields with the numbers of the inputs.
  ComputedResult(std::vector<Column> inputs, std::shared_ptr<const ComputedField> computed,
                 NumberStyle style);

  void finish(const std::vector<std::string> &inputs, Notation notation,
              std::string *out) const override;
  u64 rank(const std::vector<std::string> &inputs) const override;
  std::string fault(const std::vector<std::string> &inputs) const override;

 private:
  Number number_of(const FilterInput &input) const;

  std::shared_ptr<const ComputedField> computed_;
  NumberStyle style_;
  std::vector<size_t> columns_;  // of the batch, by field
};

// A column that shows it.
Column computed_column(std::string name, std::vector<Column> inputs,
                       std::shared_ptr<const ComputedField> computed, NumberStyle style);

}  // namespace mrc
