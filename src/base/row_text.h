// Rows of values as lines of text: between stages of a chain, and from databases.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Appends a value, and escapes its tabs and line ends. A value without data() is missing, which is
// not the same as empty. Tabs stand between the values of a line.
void append_row_value(Bytes value, std::string *out);

}  // namespace mrc
