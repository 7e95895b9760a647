// The aggregates that users name, as words and within expressions: count, sum:bytes, p95:time,
// top(3, path), sum(bytes where status == 200).
#pragma once

#include "combine/combine.h"
#include "expr/expr.h"
#include "expr/expression.h"
#include "mrc_plugin.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// The aggregates that users name: count, sum:bytes, p95:time, top3:path.

// Adds the column of `text` (FUNC[:FIELD[:BUCKET]]), its part, unless an equal one exists, and the
// columns of values that the part reads. The error of an unknown function or a bad parameter
// suggests the nearest name.
Status add_aggregate(std::string_view text, const Clock &clock, const NumberStyle &style,
                     std::vector<ValueColumn> *values, Aggregation *aggregation);
// Adds FUNC of a field, in a column called `column`. Without a field, FUNC is a function of
// records.
Status add_aggregate(std::string_view function, const FieldExpr *field, const std::string &column,
                     const NumberStyle &style, std::vector<ValueColumn> *values,
                     Aggregation *aggregation);
// True if a function has this name, such as p95.
bool is_aggregate(std::string_view name);
// True if the function needs no field, as count and share.
bool is_of_records(std::string_view name);
// True if the function takes numbers. REQUIRES: is_aggregate(name), and it takes one value
bool takes_numbers(std::string_view name);

// The functions for --help and completion: "count|sum|mean|...". N stands for a number.
struct AggregateHelp {
  const char *name;
  const char *what;  // one line, as a noun: "the sum"
};
std::vector<AggregateHelp> aggregate_help();
std::vector<std::string> aggregate_names();
// Returns " (did you mean X?)" for a name that is none of `names`. A synonym of X counts as near.
std::string aggregate_meant(const std::string &name, const std::vector<std::string> &names);

// Aggregates within expressions: their arguments may be expressions, they may have conditions, and
// expressions may combine them.

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

// Returns the column of a field's values, as a type of the plugin interface. Durations and times
// are seconds if they are numbers.
Result<ValueColumn> typed_column(const FieldExpr &field, mrc_type type, const Clock &clock);

}  // namespace mrc
