// Whether input is mapped in tiles, and of which size (Tiled-MapReduce 4.2).
#pragma once

#include "engine/engine.h"
#include "engine/sample.h"

namespace mrc {

// What the sample tells of tiles: sets fitting_tile_bytes. REQUIRES: topology and workers
void foretell_tiles(const Program &program, const Sample &sample, Plan *plan);
// Decides on tile_bytes and, if there are tiles, on what their tables and partitions may take.
// REQUIRES: all that plan_sample() and plan_memory() decide
void plan_tiles(const Program &program, Plan *plan);

}  // namespace mrc
