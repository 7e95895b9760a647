// Functions that choose one of their arguments for each record: if(), only(), coalesce(). They take
// the arguments alike, as numbers or as texts.
#include "expr/inner/functions.h"
#include "expr/inner/value_nodes.h"

namespace mrc {
namespace {

// Computes each side only for the records that take it.
template <typename Value>
ValuesPtr<Value> make_if(const Expression &call, Compiler *compiler) {
  ConditionPtr condition = compiler->condition(call.arguments[0]);
  ValuesPtr<Value> yes = compiler->values<Value>(call.arguments[1], call);
  const bool has_other = call.arguments.size() == 3;
  ValuesPtr<Value> no =
      has_other ? compiler->values<Value>(call.arguments[2], call) : make_nothing<Value>();
  return make_filled<Value>(
      [condition = std::move(condition), yes = std::move(yes), no = std::move(no)](
          const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) {
        const auto copy = [&](const Values<Value> &side, const Bits &taken) {
          const Value *values = side.read(input, taken, new_column<ColumnOf<Value>>(input.arena));
          for_wanted(taken, [&](size_t i) { (*out)[i] = values[i]; });
        };
        const Bits holds = condition->select(input, wanted);
        copy(*yes, holds);
        copy(*no, without(wanted, holds));
      });
}

bool is_usable(Bytes value) { return !is_absent(value); }
bool is_usable(Number value) { return is_number(value); }

// Computes a value only for records without an earlier one.
template <typename Value>
ValuesPtr<Value> make_coalesce(const Expression &call, Compiler *compiler) {
  return make_filled<Value>([values = compiler->all<Value>(call)](const FilterInput &input,
                                                                  const Bits &wanted, auto *out) {
    auto *spare = new_column<ColumnOf<Value>>(input.arena);
    Bits missing = wanted;
    for (const ValuesPtr<Value> &value : values) {
      const Value *next = value->read(input, missing, spare);
      missing = select_if(missing, [&](size_t i) {
        (*out)[i] = next[i];
        return !is_usable(next[i]);
      });
    }
    for_wanted(missing, [&](size_t i) { (*out)[i] = kNothing<Value>; });
  });
}

constexpr Function kChoiceFunctions[] = {
    {"if", "(CONDITION, VALUE, OTHERWISE)", 3, 3, make_if<Number>, make_if<Bytes>, nullptr, 1},
    {"only", "(CONDITION, VALUE)", 2, 2, make_if<Number>, make_if<Bytes>, nullptr, 1},
    {"coalesce", "(VALUE, VALUE, ...)", 1, kAnyArguments, make_coalesce<Number>,
     make_coalesce<Bytes>},
};

}  // namespace

std::span<const Function> choice_functions() { return kChoiceFunctions; }

}  // namespace mrc
