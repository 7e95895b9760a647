// Buckets that follow one another without gaps: hours, days of a zone, steps of a number.
#pragma once

#include "expr/expr.h"

#include <optional>
#include <string>

namespace mrc {

// Thread safe.
class BucketSteps {
 public:
  virtual ~BucketSteps() = default;
  // Returns the place of a bucket, given its name; nothing if there is no such bucket. Places order
  // as buckets do. The place of a bucket beyond all steps is the least or the largest i64.
  virtual std::optional<i64> place_of(Bytes name) const = 0;
  // REQUIRES, of both: place_of() or after() has returned the place
  virtual std::string name_at(i64 place) const = 0;
  virtual i64 after(i64 place) const = 0;
};

// Returns the steps of a bucket; null if it has none, as powers and networks.
inline const BucketSteps *steps_of(const Bucket *bucket) {
  return dynamic_cast<const BucketSteps *>(bucket);
}

}  // namespace mrc
