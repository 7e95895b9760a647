// Comparisons of values with a literal: of numbers if both are numbers, of bytes otherwise.
#include "base/number.h"
#include "expr/condition.h"
#include "expr/literal_relation.h"

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

class NumberComparison : public Condition {
 public:
  NumberComparison(Operand operand, Relation relation, std::string text)
      : operand_(std::move(operand)),
        text_(std::move(text)),
        relation_(relation, parse_any_number(text_, &arena_)) {}

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    return select_values(operand_, input, wanted, [this](Bytes value) {
      Number number;
      if (!parse_number_fast(value, &number)) [[unlikely]]
        return holds_slowly(value);
      return relation_.holds_for_narrow(number);
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
    if (number == kBadNumber) return holds_for(relation_.relation(), value.compare(text_));
    return relation_.holds(number);
  }

  Operand operand_;
  std::string text_;
  Arena arena_;
  LiteralRelation relation_;
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
