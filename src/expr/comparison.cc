// Comparisons of values with a literal: of numbers if both are numbers, of bytes otherwise.
//
// What a number is compared with becomes, for each scale that a number in a word can have, a
// range of its digits: "< 0.5" is all digits below 5 at scale 1, and below 50 at scale 2. So
// that a comparison is one look into a table, whatever the relation. The bounds are found by
// bisection with compare_numbers(), which alone says what the order of numbers is.
#include "base/number.h"
#include "expr/condition.h"

namespace mrc {
namespace {

class TextComparison : public Condition {
 public:
  TextComparison(Operand operand, Relation relation, std::string text)
      : operand_(std::move(operand)), relation_(relation), text_(std::move(text)) {}

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    const Bytes text = text_;
    if (relation_ == Relation::equal) {
      return select_values(operand_, input, wanted, [text](Bytes value) { return value == text; });
    }
    return select_values(operand_, input, wanted, [text, this](Bytes value) {
      return holds_for(relation_, value.compare(text));
    });
  }

 private:
  Operand operand_;
  Relation relation_;
  std::string text_;
};

// The digits of numbers at one scale: [begin, begin + size).
struct DigitRange {
  i64 begin = 0;
  u64 size = 0;
};
constexpr i64 kDigitsEnd = i64{1} << 58;  // of all numbers in a word

// The first digits at this scale that are not less than the literal, or greater than it.
i64 first_digits(Number literal, i64 scale, bool greater) {
  i64 begin = -kDigitsEnd, end = kDigitsEnd;
  while (begin < end) {
    const i64 middle = begin + (end - begin) / 2;
    const int order = compare_numbers(make_number(middle, scale), literal);
    if (order > 0 || (order == 0 && !greater)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

// Unequal is everything but what is equal, and that is for the caller.
DigitRange digits_in_relation(Relation relation, Number literal, i64 scale) {
  const i64 equal = first_digits(literal, scale, false);
  const i64 greater = first_digits(literal, scale, true);
  i64 begin = -kDigitsEnd, end = kDigitsEnd;
  switch (relation) {
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

class NumberComparison : public Condition {
 public:
  NumberComparison(Operand operand, Relation relation, std::string text)
      : operand_(std::move(operand)), relation_(relation), text_(std::move(text)) {
    literal_ = parse_any_number(text_, &arena_);
    for (i64 scale = 0; scale <= kLargestScale; ++scale) {
      ranges_[static_cast<size_t>(scale)] = digits_in_relation(relation, literal_, scale);
    }
  }

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    const bool inside = relation_ != Relation::unequal;
    return select_values(operand_, input, wanted, [this, inside](Bytes value) {
      Number number;
      if (!parse_number_fast(value, &number)) [[unlikely]]
        return holds_slowly(value);
      const DigitRange &range = ranges_[static_cast<size_t>(scale_of(number))];
      return (static_cast<u64>(digits_of(number) - range.begin) < range.size) == inside;
    });
  }

 private:
  // Long numbers, those with exponents, and what is none. An empty value and "-", as logs
  // have it, stand for a number that is not there.
  bool holds_slowly(Bytes value) const {
    thread_local Arena scratch;
    scratch.clear();
    const Number number = parse_any_number(value, &scratch);
    if (number == kNoNumber) return false;
    if (number == kBadNumber) return holds_for(relation_, value.compare(text_));
    return holds_for(relation_, compare_numbers(number, literal_));
  }

  Operand operand_;
  Relation relation_;
  std::string text_;
  Arena arena_;
  Number literal_;
  std::array<DigitRange, kLargestScale + 1> ranges_;
};

bool is_number_literal(const Literal &literal) {
  Arena arena;
  return !literal.quoted && is_number(parse_any_number(literal.text, &arena));
}

}  // namespace

ConditionPtr make_comparison(Operand operand, Relation relation, Literal literal) {
  if (is_number_literal(literal)) {
    return std::make_unique<NumberComparison>(std::move(operand), relation,
                                              std::move(literal.text));
  }
  return std::make_unique<TextComparison>(std::move(operand), relation, std::move(literal.text));
}

}  // namespace mrc
