#include "expr/inner/functions.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

#include <cmath>

namespace mrc {
namespace {

NumbersPtr make_absolute(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Number number) { return absolute(number, here.arena()); };
  return make_values(rule, compiler->numbers(call.arguments[0], call));
}

template <Rounding kHow>
NumbersPtr make_rounded(const Expression &call, Compiler *compiler) {
  i64 places = 0;
  if (call.arguments.size() == 2) {
    places = compiler->integer(call.arguments[1], "a number of decimal places");
    if (std::abs(places) > kLargestScale) {
      return compiler->fail("{}: -18 to 18 decimal places", call.typed);
    }
  }
  const auto rule = [places](const Here &here, Number number) {
    return rounded(number, places, kHow, here.arena());
  };
  return make_values(Noted("", rule), compiler->numbers(call.arguments[0], call));
}

// Makes the largest or the smallest of the values that are not missing.
template <int kSign>
NumbersPtr make_extreme(const Expression &call, Compiler *compiler) {
  if (Status status = compiler->measured_kind(call).status(); !status.is_ok()) {
    return compiler->fail(status);
  }
  return make_filled<Number>([values = compiler->all<Number>(call)](const FilterInput &input,
                                                                    const Bits &wanted, auto *out) {
    values[0]->fill(input, wanted, out);
    auto *spare = new_column<NumberColumnOf>(input.arena);
    for (const NumbersPtr &each : std::span(values).subspan(1)) {
      const Number *next = each->read(input, wanted, spare);
      for_wanted(wanted, [&](size_t i) {
        Number &best = (*out)[i];
        if (!is_number(next[i])) return;
        if (!is_number(best) || compare_numbers(next[i], best) * kSign > 0) best = next[i];
      });
    }
  });
}

template <double (*kFunction)(double)>
NumbersPtr make_real(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Number number) {
    return number_of(kFunction(to_double(number)), here.arena());
  };
  return make_values(Noted(fmt::format("{} has no result", call.typed), rule),
                     compiler->numbers(call.arguments[0], call));
}

NumbersPtr make_power(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Number base, Number exponent) {
    return number_of(std::pow(to_double(base), to_double(exponent)), here.arena());
  };
  return make_values(Noted(fmt::format("{} has no result", call.typed), rule),
                     compiler->numbers(call.arguments[0], call),
                     compiler->numbers(call.arguments[1], call));
}

constexpr Function of_kind_of(i64 arguments, Function function) {
  function.measures = arguments;
  return function;
}

constexpr Function kNumberFunctions[] = {
    of_kind_of(1, {"abs", "(NUMBER)", 1, 1, make_absolute}),
    of_kind_of(1, {"round", "(NUMBER[, PLACES])", 1, 2, make_rounded<Rounding::nearest>}),
    of_kind_of(1, {"floor", "(NUMBER[, PLACES])", 1, 2, make_rounded<Rounding::down>}),
    of_kind_of(1, {"ceil", "(NUMBER[, PLACES])", 1, 2, make_rounded<Rounding::up>}),
    of_kind_of(kAnyArguments, {"min", "(NUMBER, NUMBER, ...)", 2, kAnyArguments, make_extreme<-1>}),
    of_kind_of(kAnyArguments, {"max", "(NUMBER, NUMBER, ...)", 2, kAnyArguments, make_extreme<1>}),
    {"log", "(NUMBER)", 1, 1, make_real<std::log>},
    {"log2", "(NUMBER)", 1, 1, make_real<std::log2>},
    {"log10", "(NUMBER)", 1, 1, make_real<std::log10>},
    {"sqrt", "(NUMBER)", 1, 1, make_real<std::sqrt>},
    {"exp", "(NUMBER)", 1, 1, make_real<std::exp>},
    {"pow", "(NUMBER, EXPONENT)", 2, 2, make_power},
};

}  // namespace

std::span<const Function> number_functions() { return kNumberFunctions; }

}  // namespace mrc
