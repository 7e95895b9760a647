// Aggregates within expressions: of what is computed, of some records only, and what is made of
// several of them.
#pragma once

#include "combine/aggregates.h"
#include "expr/expression.h"

#include <string>
#include <vector>

namespace mrc {

// Adds a column that shows the expression: an aggregate, or what is computed of aggregates.
// REQUIRES: has_aggregate(expression)
Status add_aggregate(const Expression &expression, const std::string &column, const Clock &clock,
                     const NumberStyle &style, std::vector<ValueColumn> *values,
                     Aggregation *aggregation);

// What an aggregate takes of a record: a plain field stays one, so that it costs what it always
// did. With a condition, the value is missing where that does not hold; `typed` is the name.
Result<FieldExpr> field_of(const Expression &value, const Clock &clock);
Result<FieldExpr> field_where(const Expression &condition, const Expression &value,
                              const std::string &typed, const Clock &clock);

}  // namespace mrc
