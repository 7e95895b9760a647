// mrc stats --head: the first records of each group in place of its aggregates.
#pragma once

#include "cmd/verb.h"

namespace mrc {

extern const Option kHeadOption;

// Adds the part that keeps records, once the aggregates are known, and the shape of the output.
// Without --head it does nothing.
Status take_heads(Request *request);

}  // namespace mrc
