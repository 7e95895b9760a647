// Rows of one stage of a chain as records of the next: one line for each, with tabs between values.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Appends a value, and escapes its tabs and line ends. A value without data() is missing, which is
// not the same as empty.
void append_row_value(Bytes value, std::string *out);

}  // namespace mrc
