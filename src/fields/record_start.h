// --record-start: a regular expression tells which lines begin a record.
#pragma once

#include "fields/fields.h"
#include "split/line_groups.h"

namespace mrc {

// Returns groups that begin with a line whose head the expression matches. The error names the
// setting.
Result<LineGroups> groups_started_by(const std::string &regex, char terminator);

// True if the setting is valid for a format: the format must not define itself how its records end.
bool may_start_records(const LineFormat &format);

// Returns the lines of a head that begin records, one after another. The last one is left out if
// the input continues, because it may continue, too, unless it is the only one.
std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups);

}  // namespace mrc
