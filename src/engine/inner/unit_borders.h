// engine: finds where an input may be cut into units.
#pragma once

#include "engine/engine.h"

#include <vector>

namespace mrc {

// Returns ends of records of one of the plan's sources, which is not a stream: each is the first
// one at least `unit_bytes` after the previous one, or after the front. If quotes may contain line
// ends, it reads the whole input.
Result<std::vector<i64>> find_borders(const Program &program, const Plan &plan, i64 source,
                                      i64 unit_bytes);

}  // namespace mrc
