// All functions by name, and those that ask whether a value is there, read it as one of a kind, or
// write it in one case.
#include "expr/inner/functions.h"

#include "base/names.h"
#include "base/text.h"
#include "expr/inner/foreign.h"
#include "expr/inner/running_table.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

ConditionPtr make_has(const Expression &call, Compiler *compiler) {
  TextsPtr texts = compiler->texts_of_any(call.arguments[0]);
  const i64 field = texts == nullptr ? -1 : texts->field();
  const auto is_there = [](const Here &, Bytes text) { return !is_absent(text); };
  return make_silent(field, make_condition(is_there, std::move(texts)));
}

template <ValueKind kKind>
NumbersPtr make_of_kind(const Expression &call, Compiler *compiler) {
  return compiler->numbers_as(kKind, call.arguments[0], call, Misfit::noted);
}

TextsPtr make_text(const Expression &call, Compiler *compiler) {
  return compiler->texts(call.arguments[0]);
}

// Makes the names of the bucket that has the function's name.
TextsPtr make_form(const Expression &call, Compiler *compiler) {
  const Expression &of = call.arguments[0];
  TextsPtr value = compiler->typed_texts(of);
  const auto form =
      parse_bucket(call.name, compiler->clock(), is_input_field(of) ? of.field : FieldExpr());
  if (!form.is_ok()) return compiler->fail(form.status());
  return make_bucket_texts(
      std::move(value), *form,
      fmt::format("{} is not {} {}", of.typed, call.name == "address" ? "an" : "a", call.name));
}
NumbersPtr make_size(const Expression &call, Compiler *compiler) {
  return make_parsed_numbers(make_form(call, compiler), "");
}

// Makes the name of the record's input, which is a field.
TextsPtr make_input_name(const Expression &call, Compiler *compiler) {
  Expression name{.kind = Expression::Kind::field, .typed = call.typed};
  name.field = {.field = input_name(), .text = call.typed, .kind = {ValueKind::text}};
  return compiler->texts(name);
}

constexpr Function of_bucket(const char *name, const char *form) {
  Function function{name, form, 1, 1, nullptr, make_form};
  function.is_bucket = true;
  return function;
}

constexpr Function kKindFunctions[] = {
    {"file", "()", 0, 0, nullptr, make_input_name},
    {"has", "(VALUE)", 1, 1, nullptr, nullptr, make_has},
    {"num", "(VALUE)", 1, 1, make_of_kind<ValueKind::number>},
    {"text", "(VALUE)", 1, 1, nullptr, make_text},
    {"size", "(TEXT)", 1, 1, make_size},
    of_bucket("lower", "(TEXT)"),
    of_bucket("upper", "(TEXT)"),
    of_kind(ValueKind::duration, {"duration", "(TEXT)", 1, 1, make_of_kind<ValueKind::duration>}),
    of_bucket("address", "(TEXT)"),
    of_bucket("level", "(TEXT)"),
    of_bucket("version", "(TEXT)"),
    {"truth", "(VALUE)", 1, 1, make_of_kind<ValueKind::truth>},
    {"severity", "(LEVEL)", 1, 1, make_of_kind<ValueKind::level>},
};

std::span<const Function> kind_functions() { return kKindFunctions; }

const auto kFunctionTables = {choice_functions, number_functions, text_functions, kind_functions,
                              url_functions,    time_functions,   log_functions,  geo_functions};

}  // namespace

const Function *find_function(std::string_view name) {
  for (const auto &table : kFunctionTables) {
    for (const Function &function : table()) {
      if (name == function.name) return &function;
    }
  }
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto &table : kFunctionTables) {
    for (const Function &function : table()) names.emplace_back(function.name);
  }
  std::ranges::copy(running_function_names(), std::back_inserter(names));
  return names;
}

std::string unknown_function(std::string_view name) {
  std::string small(name);
  std::ranges::transform(small, small.begin(), [](char c) { return is_letter(c) ? c | 0x20 : c; });
  const bool is_ours =
      small != name && (find_function(small) != nullptr || is_running_function(small));
  const std::string ours = is_ours ? small : foreign_function(name);
  if (!ours.empty()) return fmt::format("no function \"{}\"; here it is {}", name, ours);
  const std::string meant = did_you_mean(std::string(name), function_names());
  return fmt::format("no function \"{}\"{}; mrc help expressions lists them", name, meant);
}

}  // namespace mrc
