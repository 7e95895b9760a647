// engine: where the whole records of a file end that may still be written.
#pragma once

#include "engine/plan.h"

namespace mrc {

// The end of the last whole record among the fresh bytes of a file; where these begin if there is
// none. REQUIRES: the readers of the plan are made
Result<i64> end_of_whole_records(const CutBytes &cuts, const Plan &plan, i64 source);

}  // namespace mrc
