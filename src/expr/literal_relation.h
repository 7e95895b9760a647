// A relation to one number, for many.
#pragma once

#include "base/number.h"
#include "expr/condition.h"

#include <array>

namespace mrc {

// At each scale, the numbers for which the relation holds are a range of digits: one that is known
// beforehand, so that numbers of any scale are compared by a look at their digits.
class LiteralRelation {
 public:
  // REQUIRES: `literal` is a number, and lives as long
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
  bool inside_;  // whether it holds in the ranges, or everywhere else
  std::array<Range, kLargestScale + 1> ranges_;
};

}  // namespace mrc
