// --record-start: a regular expression tells which lines begin a record.
#pragma once

#include "fields/fields.h"
#include "split/line_groups.h"

namespace mrc {

// Groups that begin with a line whose head the expression matches. The error names the setting.
Result<LineGroups> groups_started_by(const std::string &regex, char terminator);

// Whether the setting fits a format: how its records end must not be a matter of the format.
bool may_start_records(const LineFormat &format);

// The lines of a head that begin records, one after another. The last one is left out if the input
// goes on, as that line might, unless it is the only one.
std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups);

}  // namespace mrc
