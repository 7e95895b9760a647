// The header of records that are printed as they were.
#pragma once

#include "fields/fields.h"
#include "output/output.h"

#include <string>

namespace mrc {

// Appends the names of the dialect's fields in its own format, with quotes only where they
// are needed, and its terminator.
void append_record_header(const Dialect &dialect, const RowShape &shape, std::string *out);

}  // namespace mrc
