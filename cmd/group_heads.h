// mrc stats --head: the first records of each group in place of its aggregates.
#pragma once

#include "cmd/verb.h"

namespace mrc {

extern const Option kHeadOption;

// Adds the part that keeps records, and sets the shape of the output. Does nothing without --head.
// REQUIRES: the aggregates are known
Status take_heads(Request *request);

}  // namespace mrc
