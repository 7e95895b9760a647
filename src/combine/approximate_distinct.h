// combine: about how many different values a key has.
#pragma once

#include "combine/combine.h"

namespace mrc {

// Of texts, those that are missing aside. Exact up to 768 values, beyond that within
// HyperLogLog::standard_error(). The state: 16 bytes; one value owns nothing else, many
// own 32 KiB.
extern const Reducer kApproximateDistinct;

u64 approximate_distinct_of(const State *own);

}  // namespace mrc
