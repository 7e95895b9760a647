// Expressions about the rows of groups: --having and --by. Their names are those of columns: of the
// key, and of aggregates as they were typed.
#pragma once

#include "combine/combine.h"
#include "expr/expression.h"
#include "map/key_parts.h"

#include <memory>
#include <string>
#include <string_view>

namespace mrc {

// A condition on groups. It shows 1 for groups for which it holds.
Result<std::shared_ptr<const Formula>> parse_having(std::string_view text, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock);

// What groups are ordered by: a column that is not shown. Error: the text is no expression, or it
// is one without a column, or one that is nothing but a name that no column has.
Result<std::shared_ptr<const Column>> parse_order(std::string_view text, const KeyShape &key,
                                                  const Aggregation &aggregation,
                                                  const Clock &clock);

// Returns a column that orders groups by the kind of a column's values (expr/kind_order.h). Null if
// that one has numbers or text, or if there is none of that name.
Result<std::shared_ptr<const Column>> kind_order_of(const std::string &column, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock);

}  // namespace mrc
