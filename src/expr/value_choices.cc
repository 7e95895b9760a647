// Values of which one is taken for each record: if(), only(), coalesce().
#include "expr/value_nodes.h"

#include <type_traits>

namespace mrc {
namespace {

// if(CONDITION, YES, NO): each side is computed only for the records that take it.
template <typename Values, typename Column>
class Choice : public Values {
 public:
  using Ptr = std::unique_ptr<const Values>;
  Choice(ConditionPtr condition, Ptr yes, Ptr no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  void fill(const FilterInput &input, const Bits &wanted, Column *out) const override {
    const Bits holds = condition_->select(input, wanted), not_so = without(wanted, holds);
    auto *yes = new_column<Column>(input.arena);
    auto *no = new_column<Column>(input.arena);
    yes_->fill(input, holds, yes);
    no_->fill(input, not_so, no);
    for_wanted(holds, [&](size_t i) { (*out)[i] = (*yes)[i]; });
    for_wanted(not_so, [&](size_t i) { (*out)[i] = (*no)[i]; });
  }

 private:
  ConditionPtr condition_;
  Ptr yes_, no_;
};

bool is_there(Bytes value) { return !is_absent(value); }
bool is_there(Number value) { return is_number(value); }

// coalesce(VALUE, ...): a value is computed only for the records that lack those before it.
template <typename Values, typename Column>
class FirstOf : public Values {
 public:
  explicit FirstOf(std::vector<std::unique_ptr<const Values>> values)
      : values_(std::move(values)) {}
  void fill(const FilterInput &input, const Bits &wanted, Column *out) const override {
    auto *next = new_column<Column>(input.arena);
    Bits missing = wanted;
    for (const auto &value : values_) {
      value->fill(input, missing, next);
      missing = select_if(missing, [&](i64 record) {
        const auto i = static_cast<size_t>(record);
        (*out)[i] = (*next)[i];
        return !is_there((*out)[i]);
      });
    }
    for_wanted(missing, [&](size_t i) { (*out)[i] = nothing(); });
  }

 private:
  static auto nothing() {
    if constexpr (std::is_same_v<Column, TextColumnOf>) {
      return Bytes();
    } else {
      return kNoNumber;
    }
  }

  std::vector<std::unique_ptr<const Values>> values_;
};

}  // namespace

NumbersPtr make_number_choice(ConditionPtr condition, NumbersPtr yes, NumbersPtr no) {
  return std::make_unique<Choice<NumberValues, NumberColumnOf>>(std::move(condition),
                                                                std::move(yes), std::move(no));
}
TextsPtr make_text_choice(ConditionPtr condition, TextsPtr yes, TextsPtr no) {
  return std::make_unique<Choice<TextValues, TextColumnOf>>(std::move(condition), std::move(yes),
                                                            std::move(no));
}
NumbersPtr make_first_number(std::vector<NumbersPtr> values) {
  return std::make_unique<FirstOf<NumberValues, NumberColumnOf>>(std::move(values));
}
TextsPtr make_first_text(std::vector<TextsPtr> values) {
  return std::make_unique<FirstOf<TextValues, TextColumnOf>>(std::move(values));
}

}  // namespace mrc
