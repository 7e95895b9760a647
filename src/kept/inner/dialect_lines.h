// kept: a Dialect (how the records of an input are read) as lines of text, for unit lists and
// partials.
#pragma once

#include "fields/fields.h"
#include "kept/inner/line_values.h"

#include <optional>
#include <string>

namespace mrc {

// Appends a line for each property that is not the default; the first begins with "dialect".
void append_dialect(const Dialect &dialect, std::string *text);

// Reads one of these lines, split into its name and the rest. False: the line is another or
// damaged.
bool read_dialect_line(Bytes name, LineValues values, std::optional<Dialect> *dialect);

}  // namespace mrc
