// Records taken apart by a regular expression: its groups are the fields.
#pragma once

#include "fields/fields.h"

namespace mrc {

// The names of the groups of an expression, "" for those without, in the order of their
// opening parentheses. (?<name>...) is taken for (?P<name>...). An error if the expression
// does not compile or has no group.
Result<std::vector<std::string>> regex_fields(const std::string &regex);

// A record is bad if the expression is found nowhere in it. Fields are missing where
// their group took no part.
Result<std::unique_ptr<RecordReader>> make_regex_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted);

}  // namespace mrc
