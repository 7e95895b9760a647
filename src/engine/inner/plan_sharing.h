// Decides whether workers fold records into partitions that they share.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Decides on most_shared_bytes and, if workers share partitions, on few_hits, hot_bytes and
// partition_bits. REQUIRES: the forecast is known, if there is one
void plan_sharing(const Program &program, Plan *plan);

}  // namespace mrc
