// Decides whether input is mapped in tiles, and on their size (Tiled-MapReduce 4.2).
#pragma once

#include "engine/engine.h"
#include "engine/inner/sample.h"

namespace mrc {

// Sets fitting_tile_bytes by the sample. REQUIRES: topology and workers are decided
void foretell_tiles(const Program &program, const Sample &sample, Plan *plan);
// Decides on tile_bytes and, if there are tiles, on the memory of their partitions. REQUIRES: all
// that plan_sample() and plan_memory() decide
void plan_tiles(const Program &program, Plan *plan);

}  // namespace mrc
