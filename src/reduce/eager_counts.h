// reduce: what became of the runs that were reduced while others mapped.
#pragma once

#include "base/int.h"

namespace mrc {

// For --stats.
struct EagerCounts {
  i64 launches = 0;  // of partial reduces
  i64 runs = 0;      // that they took
  i64 records = 0;   // of these runs,
  i64 left = 0;      // and what became of them
  i64 most_at_once = 0;
  i64 refused = 0;  // launches that would have come too late
  i64 nice = 0;     // of the last thread that was launched
};

}  // namespace mrc
