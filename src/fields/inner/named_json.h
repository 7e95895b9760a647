// Other names for the fields of a row (named_formats.h), and a check of the values with these
// names.
#pragma once

#include "fields/inner/json_record.h"
#include "fields/inner/named_formats.h"
#include "fields/recognize.h"

#include <string>
#include <vector>

namespace mrc {

// Splits text at blanks.
std::vector<std::string> words_in(Bytes text);
// Parses "name=path name=path ..." in the rule of a row.
std::vector<JsonAlias> aliases_of(const NamedFormat &row);

// True if records of a dialect without the row have a time or a level, but only under other names.
// The values in the sample have to be times, or levels. REQUIRES: dialect.names has all names
bool has_log_members(const Dialect &dialect, const NamedFormat &row, const InputHead &input);

}  // namespace mrc
