// --record-start: a regular expression tells which lines begin a record.
#pragma once

#include "fields/fields.h"
#include "split/line_groups.h"

namespace mrc {

// The error names the setting. What is found thread by thread shares one expression.
Result<LineGroups> groups_started_by(const std::string &regex, char terminator);

// Whether the setting fits a format: how its records end must not be a matter of the format.
bool may_start_records(const LineFormat &format);

// The lines of a head that begin records, as what an input begins with. REQUIRES: no more of a line
// than LineGroups::kHead bytes tells
std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups);

}  // namespace mrc
