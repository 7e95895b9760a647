// Comparisons of two values of a record. Those with a constant are in comparison.cc and
// kind_values.cc.
#include "expr/value_nodes.h"

#include <string>

namespace mrc {
namespace {

// Compares two columns record by record: bool rule(a, b, relation).
template <typename Column, typename Values, typename Rule>
class Comparison : public Condition {
 public:
  using Side = std::unique_ptr<const Values>;
  Comparison(Side left, Relation relation, Side right, Rule rule)
      : left_(std::move(left)), relation_(relation), right_(std::move(right)), rule_(rule) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    auto *left = new_column<Column>(input.arena);
    auto *right = new_column<Column>(input.arena);
    left_->fill(input, wanted, left);
    right_->fill(input, wanted, right);
    return select_if(wanted, [&](i64 record) {
      const auto i = static_cast<size_t>(record);
      return rule_((*left)[i], (*right)[i], relation_);
    });
  }

 private:
  Side left_;
  Relation relation_;
  Side right_;
  Rule rule_;
};

// A value that is not a number is unequal to every number.
MRC_INLINE bool hold_as_numbers(Number a, Number b, Relation relation) {
  if (is_number(a) && is_number(b)) [[likely]]
    return holds_for(relation, order_of_numbers(a, b));
  return relation == Relation::unequal && a != kNoNumber && b != kNoNumber;
}

MRC_INLINE bool hold_as_bytes(Bytes a, Bytes b, Relation relation) {
  return a.data() != nullptr && b.data() != nullptr && holds_for(relation, a.compare(b));
}

template <typename Column, typename Values, typename Rule>
ConditionPtr make(std::unique_ptr<const Values> left, Relation relation,
                  std::unique_ptr<const Values> right, Rule rule) {
  return std::make_unique<Comparison<Column, Values, Rule>>(std::move(left), relation,
                                                            std::move(right), rule);
}

}  // namespace

ConditionPtr make_number_comparison(NumbersPtr left, Relation relation, NumbersPtr right) {
  return make<NumberColumnOf>(std::move(left), relation, std::move(right),
                              [](auto... values) { return hold_as_numbers(values...); });
}

ConditionPtr make_text_comparison(TextsPtr left, Relation relation, TextsPtr right) {
  return make<TextColumnOf>(std::move(left), relation, std::move(right),
                            [](auto... values) { return hold_as_bytes(values...); });
}

}  // namespace mrc
