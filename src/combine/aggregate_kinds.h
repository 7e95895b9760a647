// Aggregates by the kind of their values: how these are taken, and the kind of the result.
#pragma once

#include "combine/aggregates.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// The field as numbers that order as its values do: truth is 1 or 0, a duration its seconds, a time
// the seconds since 1970, and with `ranks` a level its rank. Other fields stay as they are.
Result<FieldExpr> as_numbers(const FieldExpr &field, bool ranks, const Clock &clock);

// Adds an aggregate of a field, in a column called `column`. min and max of a kind with an order of
// its own show a value as it is written, and other results have the kind that the values give them:
// the median of times is a time, their range a duration.
// Error: the function has no meaning for values of the kind, such as the sum of times.
Status add_by_kind(std::string_view name, const FieldExpr &field, const std::string &column,
                   const Clock &clock, const NumberStyle &style, std::vector<ValueColumn> *values,
                   Aggregation *aggregation);

}  // namespace mrc
