// Aggregates by the kind of their values: how they take values, and the kind of the result.
#pragma once

#include "combine/aggregates.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

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

}  // namespace mrc
