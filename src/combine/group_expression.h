// Expressions about groups: --having and --by. They name columns of the key, and aggregates as they
// were typed.
#pragma once

#include "combine/combine.h"
#include "expr/expression.h"
#include "map/key_parts.h"

#include <memory>
#include <string>
#include <string_view>

namespace mrc {

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
