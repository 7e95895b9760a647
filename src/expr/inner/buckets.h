// The kinds of buckets, each in its own file. mrc-expressions(7) describes them.
#pragma once

#include "expr/expr.h"

#include <memory>

namespace mrc {

// Each returns null if `text` is of another kind, and an error if it is of this kind and malformed.
using BucketOrNone = Result<std::shared_ptr<const Bucket>>;
BucketOrNone make_time_bucket(std::string_view text, const Clock &clock, const FieldExpr &of);
BucketOrNone make_number_bucket(std::string_view text);
BucketOrNone make_address_bucket(std::string_view text);
BucketOrNone make_hash_bucket(std::string_view text);
BucketOrNone make_named_bucket(std::string_view text, const Clock &clock, const FieldExpr &of);

}  // namespace mrc
