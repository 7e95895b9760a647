// Finds inputs that are not files, but conditions or fields that the user meant for an option.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// Returns an error if an input does not exist and is a condition, such as status==200, or a field
// of the inputs that do exist. The planner reports all other missing inputs. For verbs that read
// fields, after `prepare`.
Status check_inputs(const Request &request);

}  // namespace mrc
