// Orders the values of a kind (kinds/kind.h) as bytes.
#pragma once

#include "expr/expr.h"

#include <memory>

namespace mrc {

// True if values of the kind have an order of their own. Text and values of unknown kind order as
// bytes.
bool has_order(ValueKind kind);

// The treatment of a value that is not of the kind. `first`: it precedes all values of the kind,
// ordered by its bytes; so does a missing value, which is empty. `refused`: it has no name.
enum class Misplaced { first, refused };

// Makes a bucket whose names are sort keys (base/sort_field.h): as bytes they order as the values
// do, and none of them is a prefix of another. REQUIRES: has_order(kind.kind)
std::shared_ptr<const Bucket> make_kind_order(const FieldKind &kind, Misplaced misplaced,
                                              const Clock &clock);

}  // namespace mrc
