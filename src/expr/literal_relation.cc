// For each scale of a number in a word, the relation is a range of its digits: "< 0.5" is all
// digits below 5 at scale 1, and below 50 at scale 2. So each comparison is one table lookup.
// Bisection finds the bounds with compare_numbers(), which alone defines the order of numbers.
#include "expr/inner/literal_relation.h"

namespace mrc {
namespace {

constexpr i64 kDigitsEnd = i64{1} << 58;  // larger than the digits of any number in a word

}  // namespace

LiteralRelation::LiteralRelation(Relation relation, Number literal)
    : relation_(relation), literal_(literal), inside_(relation != Relation::unequal) {
  for (i64 scale = 0; scale <= kLargestScale; ++scale) {
    ranges_[static_cast<size_t>(scale)] = range_at(scale);
  }
}

// Returns the first digits at this scale that are not less than the literal, or greater than it.
i64 LiteralRelation::first_digits(i64 scale, bool greater) const {
  i64 begin = -kDigitsEnd, end = kDigitsEnd;
  while (begin < end) {
    const i64 middle = begin + (end - begin) / 2;
    const int order = compare_numbers(make_number(middle, scale), literal_);
    if (order > 0 || (order == 0 && !greater)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

LiteralRelation::Range LiteralRelation::range_at(i64 scale) const {
  const i64 equal = first_digits(scale, false), greater = first_digits(scale, true);
  i64 begin = -kDigitsEnd, end = kDigitsEnd;
  switch (relation_) {
    case Relation::equal:
    case Relation::unequal:
      begin = equal;
      end = greater;
      break;
    case Relation::less: end = equal; break;
    case Relation::at_most: end = greater; break;
    case Relation::greater: begin = greater; break;
    case Relation::at_least: begin = equal; break;
  }
  return {begin, static_cast<u64>(end - begin)};
}

}  // namespace mrc
