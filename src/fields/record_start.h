// --record-start: a regular expression tells which lines begin a record.
#pragma once

#include "fields/fields.h"
#include "split/line_groups.h"

namespace mrc {

// Returns groups that begin with a line whose head the expression matches. The error names the
// setting.
Result<LineGroups> groups_started_by(const std::string &regex, char terminator);

// True if the setting is valid for a format, which must not define the ends of its records.
bool may_start_records(const LineFormat &format);

// Returns the lines of a head that begin records, one after another. If the input continues, the
// last line may be incomplete, and is left out unless it is the only one.
std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups);

}  // namespace mrc
