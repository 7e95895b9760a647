// Names as users write them where fields are named.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// In double quotes if it could be taken for something else: what parse_field() reads as this
// name. `step`: of a path (json_paths.h), in which dots have a meaning.
std::string written_name(Bytes name, bool step);
// The inverse, of text that begins with a double quote: appends the name. Returns the bytes up
// to the closing quote and including it; 0 if there is none.
size_t read_quoted_name(Bytes text, std::string *name);

}  // namespace mrc
