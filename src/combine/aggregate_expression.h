// Aggregates within expressions: their arguments may be expressions, they may have conditions, and
// expressions may combine them.
#pragma once

#include "combine/aggregates.h"
#include "expr/expression.h"

#include <string>
#include <vector>

namespace mrc {

// Adds a column that shows the expression, which is an aggregate or is computed from aggregates.
// REQUIRES: has_aggregate(expression)
Status add_aggregate(const Expression &expression, const std::string &column, const Clock &clock,
                     const NumberStyle &style, std::vector<ValueColumn> *values,
                     Aggregation *aggregation);

// Returns the field that an aggregate reads. A plain field stays a plain field, which is cheaper
// than an expression. field_where() gives a field that is missing where the condition does not
// hold; `typed` is its name.
Result<FieldExpr> field_of(const Expression &value, const Clock &clock);
Result<FieldExpr> field_where(const Expression &condition, const Expression &value,
                              const std::string &typed, const Clock &clock);

}  // namespace mrc
