// Other names of the fields of a row (named_formats.h), and whether they are what they are taken
// for.
#pragma once

#include "fields/input_head.h"
#include "fields/json_paths.h"
#include "fields/named_formats.h"

#include <string>
#include <vector>

namespace mrc {

// The words between blanks.
std::vector<std::string> words_in(Bytes text);
// "name=path name=path ..." of a row.
std::vector<JsonAlias> aliases_of(const NamedFormat &row);

// Whether records of a dialect without the row have a time or a level under other names only. The
// sample's values have to be times, or levels. REQUIRES: dialect.names are all names
bool has_log_members(const Dialect &dialect, const NamedFormat &row, const InputHead &input);

}  // namespace mrc
