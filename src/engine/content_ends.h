// engine: where the tiles of files end, found by all threads.
#pragma once

#include "engine/content_tiles.h"
#include "sched/sched.h"

namespace mrc {

// Sets begins and ends of tiles, and the status, of all files. What it finds is what ContentBorders
// finds in a file from its front, whatever the number of threads.
void find_content_ends(const CutBytes &ends_of_records, i64 tile_bytes, WorkerPool *pool,
                       std::vector<CutFile> *files);

}  // namespace mrc
