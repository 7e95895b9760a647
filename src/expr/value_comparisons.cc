// Comparisons of values that are computed. Those of a field with a constant are in comparison.cc.
#include "expr/literal_relation.h"
#include "expr/value_nodes.h"

#include <string>

namespace mrc {
namespace {

// Compares two columns record by record: bool rule(a, b, relation, arena).
template <typename Column, typename Values, typename OtherColumn, typename OtherValues,
          typename Rule>
class Comparison : public Condition {
 public:
  using Left = std::unique_ptr<const Values>;
  using Right = std::unique_ptr<const OtherValues>;
  Comparison(Left left, Relation relation, Right right, Rule rule)
      : left_(std::move(left)), relation_(relation), right_(std::move(right)), rule_(rule) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    auto *left = new_column<Column>(input.arena);
    auto *right = new_column<OtherColumn>(input.arena);
    left_->fill(input, wanted, left);
    right_->fill(input, wanted, right);
    return select_if(wanted, [&](i64 record) {
      const auto i = static_cast<size_t>(record);
      return rule_((*left)[i], (*right)[i], relation_, input.arena);
    });
  }

 private:
  Left left_;
  Relation relation_;
  Right right_;
  Rule rule_;
};

// A comparison with the same number in all records.
class LiteralComparison : public Condition {
 public:
  // REQUIRES: right->constant(), a number
  LiteralComparison(NumbersPtr left, Relation relation, NumbersPtr right)
      : left_(std::move(left)),
        right_(std::move(right)),
        relation_(relation, *right_->constant()) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    auto *left = new_column<NumberColumnOf>(input.arena);
    left_->fill(input, wanted, left);
    return select_if(wanted, [&](i64 record) {
      const Number number = (*left)[static_cast<size_t>(record)];
      return is_number(number) && relation_.holds(number);
    });
  }

 private:
  NumbersPtr left_, right_;
  LiteralRelation relation_;
};

MRC_INLINE bool hold_as_numbers(Number a, Number b, Relation relation, Arena *) {
  return is_number(a) && is_number(b) && holds_for(relation, order_of_numbers(a, b));
}

MRC_INLINE bool hold_with_text(Number a, Bytes text, Relation relation, Arena *arena) {
  if (!is_number(a) || text.data() == nullptr) return false;
  const Number b = parse_number(text, arena);
  if (is_number(b)) [[likely]]
    return holds_for(relation, order_of_numbers(a, b));
  if (b == kNoNumber) return false;
  std::string number;
  append_number(a, &number);
  return holds_for(relation, Bytes(number).compare(text));
}

MRC_INLINE bool hold_as_bytes(Bytes a, Bytes b, Relation relation, Arena *) {
  return a.data() != nullptr && b.data() != nullptr && holds_for(relation, a.compare(b));
}

// A value that is empty or "-" is in no relation to a number.
MRC_INLINE bool hold_as_values(Bytes a, Bytes b, Relation relation, Arena *arena) {
  if (a.data() == nullptr || b.data() == nullptr) return false;
  const Number x = parse_number(a, arena), y = parse_number(b, arena);
  if (is_number(x) && is_number(y)) return holds_for(relation, order_of_numbers(x, y));
  if ((x == kNoNumber && is_number(y)) || (y == kNoNumber && is_number(x))) return false;
  return holds_for(relation, a.compare(b));
}

template <typename Rule>
ConditionPtr make_text_comparison(TextsPtr left, Relation relation, TextsPtr right, Rule rule) {
  using Texts = Comparison<TextColumnOf, TextValues, TextColumnOf, TextValues, Rule>;
  return std::make_unique<Texts>(std::move(left), relation, std::move(right), rule);
}

}  // namespace

ConditionPtr make_number_comparison(NumbersPtr left, Relation relation, NumbersPtr right) {
  if (const std::optional<Number> number = right->constant(); number && is_number(*number)) {
    return std::make_unique<LiteralComparison>(std::move(left), relation, std::move(right));
  }
  auto rule = [](auto... values) { return hold_as_numbers(values...); };
  using Numbers =
      Comparison<NumberColumnOf, NumberValues, NumberColumnOf, NumberValues, decltype(rule)>;
  return std::make_unique<Numbers>(std::move(left), relation, std::move(right), rule);
}

ConditionPtr make_mixed_comparison(NumbersPtr left, Relation relation, TextsPtr right) {
  auto rule = [](auto... values) { return hold_with_text(values...); };
  using Mixed = Comparison<NumberColumnOf, NumberValues, TextColumnOf, TextValues, decltype(rule)>;
  return std::make_unique<Mixed>(std::move(left), relation, std::move(right), rule);
}

ConditionPtr make_value_comparison(TextsPtr left, Relation relation, TextsPtr right, bool bytes) {
  if (bytes) {
    return make_text_comparison(std::move(left), relation, std::move(right),
                                [](auto... values) { return hold_as_bytes(values...); });
  }
  return make_text_comparison(std::move(left), relation, std::move(right),
                              [](auto... values) { return hold_as_values(values...); });
}

}  // namespace mrc
