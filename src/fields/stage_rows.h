// Rows of one stage of a chain, or of a database, as records: one line for each (row_text.h).
#pragma once

#include "base/row_text.h"
#include "fields/fields.h"

#include <string>
#include <vector>

namespace mrc {

// Returns how rows with these columns are read: as values, or as JSON objects.
Dialect dialect_of_rows(const std::vector<std::string> &columns, bool are_objects,
                        std::string reason);

}  // namespace mrc
