// Functions of text, of the table of functions (functions.cc), which says what each does.
#pragma once

#include "expr/compiler.h"

namespace mrc {

Result<NumbersPtr> make_length(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_unhex(const Expression &call, Compiler *compiler);

Result<TextsPtr> make_hex(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_lower(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_upper(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_trim(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_substr(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_split(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_replace(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_concat(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_url(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_param(const Expression &call, Compiler *compiler);

Result<ConditionPtr> make_contains(const Expression &call, Compiler *compiler);
Result<ConditionPtr> make_startswith(const Expression &call, Compiler *compiler);
Result<ConditionPtr> make_endswith(const Expression &call, Compiler *compiler);

}  // namespace mrc
