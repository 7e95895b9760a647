// Functions that choose one of their arguments for each record: if(), only(), coalesce(). They take
// the arguments alike, as numbers or as texts.
#include "expr/inner/functions.h"
#include "expr/inner/value_nodes.h"

namespace mrc {
namespace {

// Computes each side only for the records that take it.
template <typename Value>
class Choice : public Values<Value> {
 public:
  Choice(ConditionPtr condition, ValuesPtr<Value> yes, ValuesPtr<Value> no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  void fill(const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) const override {
    const Bits holds = condition_->select(input, wanted);
    copy(*yes_, input, holds, out);
    copy(*no_, input, without(wanted, holds), out);
  }

 private:
  static void copy(const Values<Value> &side, const FilterInput &input, const Bits &wanted,
                   ColumnOf<Value> *out) {
    const Value *values = side.read(input, wanted, new_column<ColumnOf<Value>>(input.arena));
    for_wanted(wanted, [&](size_t i) { (*out)[i] = values[i]; });
  }

  ConditionPtr condition_;
  ValuesPtr<Value> yes_, no_;
};

template <typename Value>
ValuesPtr<Value> make_if(const Expression &call, Compiler *compiler) {
  ConditionPtr condition = compiler->condition(call.arguments[0]);
  ValuesPtr<Value> yes = compiler->values<Value>(call.arguments[1], call);
  const bool has_other = call.arguments.size() == 3;
  ValuesPtr<Value> no =
      has_other ? compiler->values<Value>(call.arguments[2], call) : make_nothing<Value>();
  return std::make_unique<Choice<Value>>(std::move(condition), std::move(yes), std::move(no));
}

bool is_usable(Bytes value) { return !is_absent(value); }
bool is_usable(Number value) { return is_number(value); }

// Computes a value only for records without an earlier one.
template <typename Value>
class FirstOf : public Values<Value> {
 public:
  explicit FirstOf(std::vector<ValuesPtr<Value>> values) : values_(std::move(values)) {}
  void fill(const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) const override {
    auto *spare = new_column<ColumnOf<Value>>(input.arena);
    Bits missing = wanted;
    for (const ValuesPtr<Value> &value : values_) {
      const Value *next = value->read(input, missing, spare);
      missing = select_if(missing, [&](size_t i) {
        (*out)[i] = next[i];
        return !is_usable(next[i]);
      });
    }
    for_wanted(missing, [&](size_t i) { (*out)[i] = kNothing<Value>; });
  }

 private:
  std::vector<ValuesPtr<Value>> values_;
};

template <typename Value>
ValuesPtr<Value> make_coalesce(const Expression &call, Compiler *compiler) {
  return std::make_unique<FirstOf<Value>>(compiler->all<Value>(call));
}

constexpr Function kFunctions[] = {
    {"if", "(CONDITION, VALUE, OTHERWISE)", 3, 3, make_if<Number>, make_if<Bytes>, nullptr, 1},
    {"only", "(CONDITION, VALUE)", 2, 2, make_if<Number>, make_if<Bytes>, nullptr, 1},
    {"coalesce", "(VALUE, VALUE, ...)", 1, kAnyArguments, make_coalesce<Number>,
     make_coalesce<Bytes>},
};

}  // namespace

std::span<const Function> choice_functions() { return kFunctions; }

}  // namespace mrc
