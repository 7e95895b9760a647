// Functions of times, of the table of functions (functions.cc), which says what each does.
#pragma once

#include "expr/compiler.h"

namespace mrc {

Result<NumbersPtr> make_seconds(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_difference(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_year(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_month(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_day(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_hour(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_minute(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_second(const Expression &call, Compiler *compiler);
Result<NumbersPtr> make_weekday(const Expression &call, Compiler *compiler);
Result<TextsPtr> make_format(const Expression &call, Compiler *compiler);

}  // namespace mrc
