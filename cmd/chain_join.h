// Joins in chains. One of their inputs may be the records of the previous stage, which is called
// "-".
#pragma once

#include "cmd/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Returns which input of a later stage is called "-". It is an error if neither is.
Result<Side> handed_side(const Request &request);

// Sets how the request reads these records. REQUIRES: the request has such a side, and is not
// prepared
void read_in_join(const FormatSpec &format, Request *request);

// Returns how a prepared request of any verb reads the records of the previous stage.
FormatSpec *handed_format(Request *request);
// Returns the fields of that side that the user has named. REQUIRES: the request is a prepared join
std::vector<FieldName> fields_of_join(const Request &request);

// Examines the inputs of a join, which determine its columns. If `is_first`, no input is a previous
// stage, and the plan is the one to run. It is called once, because pipes can be read only once.
Result<std::shared_ptr<const Plan>> look_at_join(const Request &request, bool is_first);

}  // namespace mrc
