// has(), and the functions that read a value as one of a kind.
#include "expr/inner/functions.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

namespace mrc {
namespace {

ConditionPtr make_has(const Expression &call, Compiler *compiler) {
  return make_condition([](const Here &, Bytes text) { return !is_absent(text); },
                        compiler->texts_of_any(call.arguments[0]));
}

template <ValueKind kKind>
NumbersPtr make_of_kind(const Expression &call, Compiler *compiler) {
  return compiler->numbers_as(kKind, call.arguments[0], call, Misfit::noted);
}

TextsPtr make_text(const Expression &call, Compiler *compiler) {
  return compiler->texts(call.arguments[0]);
}

// Makes the names of the bucket of the function's name, which gives values of a kind their one
// form.
TextsPtr make_form(const Expression &call, Compiler *compiler) {
  TextsPtr value = compiler->texts(call.arguments[0]);
  const auto form = parse_bucket(call.name, compiler->clock());
  if (!form.is_ok()) return compiler->fail(form.status());
  return make_bucket_texts(std::move(value), *form,
                           fmt::format("{} is not {} {}", call.arguments[0].typed,
                                       call.name == "address" ? "an" : "a", call.name));
}
NumbersPtr make_size(const Expression &call, Compiler *compiler) {
  return make_parsed_numbers(make_form(call, compiler), "");
}

constexpr Function of_kind(ValueKind kind, Function function) {
  function.kind = kind;
  return function;
}

constexpr Function kFunctions[] = {
    {"has", "(VALUE)", 1, 1, nullptr, nullptr, make_has},
    {"num", "(VALUE)", 1, 1, make_of_kind<ValueKind::number>},
    {"text", "(VALUE)", 1, 1, nullptr, make_text},
    {"size", "(TEXT)", 1, 1, make_size},
    of_kind(ValueKind::duration, {"duration", "(TEXT)", 1, 1, make_of_kind<ValueKind::duration>}),
    of_kind(ValueKind::address, {"address", "(TEXT)", 1, 1, nullptr, make_form}),
    of_kind(ValueKind::level, {"level", "(TEXT)", 1, 1, nullptr, make_form}),
    of_kind(ValueKind::version, {"version", "(TEXT)", 1, 1, nullptr, make_form}),
    {"truth", "(VALUE)", 1, 1, make_of_kind<ValueKind::truth>},
    {"severity", "(LEVEL)", 1, 1, make_of_kind<ValueKind::level>},
};

}  // namespace

std::span<const Function> kind_functions() { return kFunctions; }

}  // namespace mrc
