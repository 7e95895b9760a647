// engine: finds the end of the whole records in a file that may still be written.
#pragma once

#include "engine/inner/plan.h"

namespace mrc {

// Returns the end of the last whole record among the fresh bytes of a file, or their front if there
// is none. REQUIRES: the readers of the plan are made
Result<i64> end_of_whole_records(const CutBytes &cuts, const Plan &plan, i64 source);

}  // namespace mrc
