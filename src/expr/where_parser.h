// --where expressions into conditions.
#pragma once

#include "expr/condition.h"

#include <string_view>
#include <vector>

namespace mrc {

// The place of the field in the list; appended if it is new.
i64 place_of_field(const FieldName &field, std::vector<FieldName> *fields);

// Appends to *fields the fields that the condition looks at. The grammar is in expr.h, at
// make_filter().
Result<ConditionPtr> parse_where(std::string_view text, const Clock &clock,
                                 std::vector<FieldName> *fields);

}  // namespace mrc
