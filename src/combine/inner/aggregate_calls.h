// Ways to add an aggregate: by its parts, by the kind of its values, or as a call.
#pragma once

#include "combine/aggregates.h"
#include "combine/combine.h"
#include "combine/figure.h"
#include "expr/expr.h"
#include "expr/expression.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Refuses a value of the aggregate `user` that is the same for all records. Such a value is often a
// field without its sign.
Status check_varies(const Expression &value, const Expression &user);

// Parts and value columns without duplicates, for files that add aggregates.

// Returns the number of the column, which is added unless there is an equal one.
i64 value_column(const ValueColumn &wanted, std::vector<ValueColumn> *values);

// Returns the number of the part, which is added unless one with the same reducer and columns
// exists. If `seeded`, a new part gets a random Seed as its context.
i64 part_of(Part part, bool seeded, Aggregation *aggregation);

// True if a separator may follow the value. REQUIRES: is_aggregate(name), and it takes one value
bool takes_separator(std::string_view name);
// Replaces the style of the last column. REQUIRES: add_aggregate() added it
void restyle(const ColumnStyle &style, Aggregation *aggregation);

// Aggregates by the kind of their values: how they take values, and the kind of the result.

// Converts a field to numbers in the order of its values: 1 or 0 for truth, seconds for a duration,
// seconds since 1970 for a time, and with `ranks` the rank of a level. Other fields stay as they
// are.
Result<FieldExpr> as_numbers(const FieldExpr &field, bool ranks, const Clock &clock);

// Adds an aggregate of a field, in a column called `column`. If the kind has an order of its own,
// min and max show a value as it is written. The kind of other results follows from the kind of the
// values: the median of times is a time, their range a duration.
// Fails if the function has no meaning for values of the kind, such as the sum of times.
Status add_by_kind(std::string_view name, const FieldExpr &field, const std::string &column,
                   const Clock &clock, const NumberStyle &style, std::vector<ValueColumn> *values,
                   Aggregation *aggregation);

// Aggregates that take several arguments: argmax(price, shop), corr(qty, price),
// top(3, path, sum:bytes).

struct AggregateCall {
  const char *name;
  const char *form;  // as --help shows it
  const char *example;
  const char *what;
  decltype(Column::figure) of_pairs = nullptr;  // for aggregates of two numbers: what they show
};
std::span<const AggregateCall> aggregate_calls();
bool is_aggregate_call(std::string_view name);
// Returns the error for a function that was named without its arguments. REQUIRES:
// is_aggregate_call(name)
Status not_called(std::string_view name);

// Adds a column that shows the aggregate. REQUIRES: is_aggregate_call(aggregate.name)
Status add_aggregate_call(const Expression &aggregate, const std::string &column,
                          const Clock &clock, const NumberStyle &style,
                          std::vector<ValueColumn> *values, Aggregation *aggregation);

}  // namespace mrc
