// kept: how records of an input are read, as lines of text, in lists of units and in partials.
#pragma once

#include "fields/fields.h"
#include "kept/line_values.h"

#include <optional>
#include <string>

namespace mrc {

// Appends a line for each thing that is not as usual; the first begins with "dialect".
void append_dialect(const Dialect &dialect, std::string *text);

// Takes one of these lines: its name, and the rest. False: it is none of them, or damaged.
bool read_dialect_line(Bytes name, LineValues values, std::optional<Dialect> *dialect);

}  // namespace mrc
