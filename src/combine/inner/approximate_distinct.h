// combine: estimated number of different values of a key.
#pragma once

#include "combine/combine.h"

namespace mrc {

// Counts the different texts of a column, without missing ones. Exact up to 768 values, then within
// HyperLogLog::standard_error(). The state has 16 bytes. A single value needs nothing else; many
// values need 32 KiB.
extern const Reducer kApproximateDistinct;

u64 approximate_distinct_of(const State *own);

}  // namespace mrc
