// The kinds of buckets, each in its own file. What they are for users is at parse_bucket().
#pragma once

#include "expr/expr.h"

#include <memory>

namespace mrc {

// Each returns null if `text` is of another kind, and an error if it is of this kind and
// wrong.
using BucketOrNone = Result<std::shared_ptr<const Bucket>>;
BucketOrNone make_time_bucket(std::string_view text, const Clock &clock, const FieldExpr &of);
BucketOrNone make_number_bucket(std::string_view text);
BucketOrNone make_address_bucket(std::string_view text);
BucketOrNone make_text_bucket(std::string_view text);
BucketOrNone make_kind_bucket(std::string_view text, const Clock &clock, const FieldExpr &of);
// Durations of plain numbers, of which each 1 is so many nanoseconds, and of texts with a unit.
BucketOrNone make_duration_bucket(i64 unit_ns, const Clock &clock);

}  // namespace mrc
