// engine: finds the ends of tiles by content, with all threads.
#pragma once

#include "engine/inner/content_tiles.h"
#include "sched/sched.h"

namespace mrc {

// Sets begins and ends of tiles, and the status, of all files. With any number of threads, the
// tiles are those that ContentBorders finds when it reads a file from the front.
void find_content_ends(const CutBytes &ends_of_records, i64 tile_bytes, WorkerPool *pool,
                       std::vector<CutFile> *files);

}  // namespace mrc
