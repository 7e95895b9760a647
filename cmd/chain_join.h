// Joins in chains. One of their inputs may be the records of the stage before, which is called "-".
#pragma once

#include "cmd/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Which input of a later stage that is. Error: neither.
Result<Side> handed_side(const Request &request);

// Tells a request with such a side, before it is prepared, how to read these records.
void read_in_join(const FormatSpec &format, Request *request);

// For a request of any verb that is prepared: how it reads the records of the stage before.
FormatSpec *handed_format(Request *request);
// For a join that is prepared: the fields of that side that the user has named.
std::vector<FieldName> fields_of_join(const Request &request);

// Looks at the inputs of a join, which say what its columns are. `is_first`: none is that of a
// stage before, and the plan is the one to run. As pipes are read once, this is done once.
Result<std::shared_ptr<const Plan>> look_at_join(const Request &request, bool is_first);

}  // namespace mrc
