// Calls of functions whose arguments are texts: a rule for one record becomes a node.
#pragma once

#include "expr/compiler.h"
#include "expr/value_nodes.h"

#include <memory>
#include <utility>
#include <vector>

namespace mrc {

// A function of the texts that are its arguments.
template <size_t kSize, typename Rule>
Result<TextsPtr> texts_of(const Expression &call, Compiler *compiler, Rule rule) {
  Result<std::vector<TextsPtr>> values = compiler->all_texts(call);
  if (!values.is_ok()) return values.status();
  return std::make_unique<TextsOfTexts<kSize, Rule>>(std::move(*values), std::move(rule));
}
// The function takes the first argument; the others are constants.
template <typename Rule>
Result<TextsPtr> texts_of_first(const Expression &call, Compiler *compiler, Rule rule) {
  Result<TextsPtr> value = compiler->texts(call.arguments[0]);
  if (!value.is_ok()) return value;
  return std::make_unique<TextsOfTexts<1, Rule>>(list_of(std::move(*value)), std::move(rule));
}
template <typename Rule>
Result<ConditionPtr> condition_of_two(const Expression &call, Compiler *compiler, Rule rule) {
  Result<std::vector<TextsPtr>> values = compiler->all_texts(call);
  if (!values.is_ok()) return values.status();
  return make_text_condition<2>(std::move(*values), std::move(rule));
}

}  // namespace mrc
