// Rows of OutputFormat::arrays: JSON values between brackets.
#pragma once

#include "base/int.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Returns the values of a row, or of an array in it. Each borrows its text.
std::vector<std::string_view> values_of(std::string_view row);

// Returns a value as scripts can read it: they read numbers as doubles, which may not have a long
// whole number, so such numbers become strings, also within arrays and objects.
std::string for_script(std::string_view value);

// Returns a whole number; 0 if it is none.
i64 number_of(std::string_view value);

// Returns the text of a value that append_json() has written.
std::string text_of_json(std::string_view value);

}  // namespace mrc
