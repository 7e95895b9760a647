// reduce: counts of the runs that were reduced during the map phase.
#pragma once

#include "base/int.h"

namespace mrc {

// Counts that --stats prints.
struct EagerCounts {
  i64 launches = 0;  // partial reduces
  i64 runs = 0;      // runs that they took
  i64 records = 0;   // records in these runs
  i64 left = 0;      // records in the results
  i64 most_at_once = 0;
  i64 refused = 0;  // launches that were refused because the input was nearly mapped
  i64 nice = 0;     // nice value of the thread of the last launch
};

}  // namespace mrc
