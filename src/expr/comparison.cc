// Comparisons of fields as they stand with a constant.
#include "base/number.h"
#include "expr/condition.h"
#include "expr/evaluate.h"
#include "expr/literal_relation.h"

namespace mrc {
namespace {

class TextFieldComparison : public Condition {
 public:
  TextFieldComparison(Operand operand, Relation relation, std::string text)
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

class NumberFieldComparison : public Condition {
 public:
  NumberFieldComparison(Operand operand, Relation relation, const std::string &digits,
                        std::string reason)
      : field_(operand.field),
        reason_(std::move(reason)),
        relation_(relation, parse_any_number(digits, &arena_)) {}

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    const Bytes *values = input.column(field_);
    return select_if(wanted, [&](i64 i) {
      Number number;
      if (values[i].data() == nullptr) return false;
      if (!parse_number_fast(values[i], &number)) [[unlikely]]
        return holds_slowly(values[i], i, input);
      return relation_.holds_for_narrow(number);
    });
  }

 private:
  // Long numbers, those with exponents, and what is none. An empty value and "-", as logs
  // have it, stand for a number that is not there.
  bool holds_slowly(Bytes value, i64 record, const FilterInput &input) const {
    thread_local Arena scratch;
    scratch.clear();
    const Number number = parse_any_number(value, &scratch);
    if (is_number(number)) return relation_.holds(number);
    if (number == kNoNumber) return false;
    if (!reason_.empty()) no_number(input, static_cast<size_t>(record), value, reason_);
    return relation_.relation() == Relation::unequal;
  }

  i64 field_;
  std::string reason_;
  Arena arena_;
  LiteralRelation relation_;
};

}  // namespace

ConditionPtr make_text_field_comparison(Operand operand, Relation relation, std::string text) {
  return std::make_unique<TextFieldComparison>(std::move(operand), relation, std::move(text));
}

ConditionPtr make_number_field_comparison(Operand operand, Relation relation,
                                          const std::string &digits, std::string reason) {
  return std::make_unique<NumberFieldComparison>(std::move(operand), relation, digits,
                                                 std::move(reason));
}

}  // namespace mrc
