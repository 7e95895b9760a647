// The order of the values of a kind (fields/kind.h), as bytes.
#pragma once

#include "expr/expr.h"

#include <memory>

namespace mrc {

// True if values of the kind have an order of their own. Text and values of unknown kind are in the
// order of their bytes.
bool has_order(ValueKind kind);

// What happens to a value that is not of the kind. `first`: it comes before all that are, in the
// order of its bytes, and so does one that is missing, which is empty. `refused`: it has no name.
enum class Misplaced { first, refused };

// A bucket whose names are sort keys (base/sort_field.h): their order as bytes is that of the
// values, and none of them is the prefix of another.
// REQUIRES: has_order(kind.kind)
Result<std::shared_ptr<const Bucket>> make_kind_order(const FieldKind &kind, Misplaced misplaced,
                                                      const Clock &clock);

}  // namespace mrc
