// A relation to one number, for comparisons with many numbers.
#pragma once

#include "base/number.h"
#include "expr/inner/conditions.h"

#include <array>

namespace mrc {

// At each scale, the numbers for which the relation holds are a range of digits. The ranges are
// computed in advance, so a number of any scale is compared by its digits.
class LiteralRelation {
 public:
  // REQUIRES: `literal` is a number, and outlives this
  LiteralRelation(Relation relation, Number literal);

  Relation relation() const { return relation_; }
  // REQUIRES: is_narrow(number)
  MRC_INLINE bool holds_for_narrow(Number number) const {
    const Range &range = ranges_[static_cast<size_t>(scale_of(number))];
    return (static_cast<u64>(digits_of(number) - range.begin) < range.size) == inside_;
  }
  // REQUIRES: is_number(number)
  MRC_INLINE bool holds(Number number) const {
    if (is_narrow(number)) [[likely]]
      return holds_for_narrow(number);
    return holds_for(relation_, compare_numbers(number, literal_));
  }

 private:
  // [begin, begin + size)
  struct Range {
    i64 begin = 0;
    u64 size = 0;
  };
  Range range_at(i64 scale) const;
  i64 first_digits(i64 scale, bool greater) const;

  Relation relation_;
  Number literal_;
  bool inside_;  // the relation holds within the ranges; false: outside of them
  std::array<Range, kLargestScale + 1> ranges_;
};

}  // namespace mrc
