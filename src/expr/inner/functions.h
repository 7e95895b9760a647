// The functions of expressions: a table in each file of functions.
#pragma once

#include "expr/inner/compiler.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct Function {
  template <typename Compiled>
  using Make = std::unique_ptr<const Compiled>(const Expression &call, Compiler *compiler);

  const char *name;
  const char *form;  // the text after the name: "(TEXT, FROM[, LENGTH])"
  i64 least, most;   // number of arguments
  // The forms that the function has; null: none. If it has numbers and texts, its arguments decide.
  Make<Values<Number>> *numbers;
  Make<Values<Bytes>> *texts = nullptr;
  Make<Condition> *condition = nullptr;
  i64 conditions = 0;                   // number of first arguments that are conditions
  bool own_backslashes = false;         // text in quotes is a regular expression
  ValueKind kind = ValueKind::unknown;  // kind of the values, if the forms do not tell
  // Number of first arguments that are all numbers, durations or times, like the result.
  i64 measures = 0;
  i64 least_value = 0,
      most_value = 0;      // all results are whole numbers from least to most; 0: not so
  bool is_bucket = false;  // the texts are the names of the bucket that has the function's name
  // Returns the kind of the values if an argument decides it. If they are numbers, the function has
  // that form, and otherwise the form of texts.
  ValueKind (*kind_by)(const Expression &call) = nullptr;
};
inline constexpr i64 kAnyArguments = 1000;
constexpr Function of_values(i64 least, i64 most, Function function) {
  function.least_value = least;
  function.most_value = most;
  return function;
}
constexpr Function of_kind(ValueKind kind, Function function) {
  function.kind = kind;
  return function;
}
constexpr Function of_kind_by(ValueKind (*kind_by)(const Expression &call), Function function) {
  function.kind_by = kind_by;
  return function;
}

std::span<const Function> choice_functions();
std::span<const Function> number_functions();
std::span<const Function> text_functions();
std::span<const Function> url_functions();
std::span<const Function> log_functions();
std::span<const Function> geo_functions();
std::span<const Function> time_functions();

// Returns null if no function has that name.
const Function *find_function(std::string_view name);
// Returns the names of all functions, with those of earlier records.
std::vector<std::string> function_names();
std::string unknown_function(std::string_view name);

}  // namespace mrc
