// The functions of expressions: one table.
#pragma once

#include "expr/compiler.h"

#include <string>
#include <string_view>

namespace mrc {

struct Function {
  const char *name;
  const char *form;  // what follows the name: "(TEXT, FROM[, LENGTH])"
  const char *what;  // one line, for the manual and errors
  i64 least, most;   // arguments
  // Of these, those that are there. Both numbers and texts: it is what its arguments are.
  Result<NumbersPtr> (*numbers)(const Expression &call, Compiler *compiler);
  Result<TextsPtr> (*texts)(const Expression &call, Compiler *compiler) = nullptr;
  Result<ConditionPtr> (*condition)(const Expression &call, Compiler *compiler) = nullptr;
  i64 conditions = 0;                   // how many of its arguments, the first ones, are conditions
  bool own_backslashes = false;         // of text in quotes: it is a regular expression
  ValueKind kind = ValueKind::unknown;  // of its values, if that is not plain from the above
  // How many of its arguments, the first ones, are all numbers, durations or times, and so is it.
  i64 measures = 0;
};

// Returns null if no function has that name.
const Function *find_function(std::string_view name);
std::string unknown_function(std::string_view name);
std::vector<std::string> function_names();

}  // namespace mrc
