// engine: where an input may be cut into units.
#pragma once

#include "engine/engine.h"

#include <vector>

namespace mrc {

// Ends of records of one of the plan's sources, which is no stream: the first at so many bytes or
// more from its front, and from each other. Where quotes may hold line ends, all of it is read.
Result<std::vector<i64>> find_borders(const Program &program, const Plan &plan, i64 source,
                                      i64 unit_bytes);

}  // namespace mrc
