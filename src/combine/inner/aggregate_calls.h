// Aggregates that take several arguments: argmax(price, shop), top(3, path, sum:bytes).
#pragma once

#include "combine/aggregates.h"
#include "expr/expression.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct AggregateCall {
  const char *name;
  const char *form;  // as --help shows it
  const char *example;
  const char *what;
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
