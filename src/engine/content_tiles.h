// engine: files as tiles whose borders follow from their content.
#pragma once

#include "base/content_hash.h"
#include "base/status.h"
#include "input/input.h"
#include "split/split.h"

#include <optional>
#include <vector>

namespace mrc {

struct ContentTile {
  i64 begin = 0, end = 0;
  u64 own = 0;      // ContentHash of its bytes as if they stood at the front
  u64 content = 0;  // ContentHash of its bytes where they stand
};

struct CutFile {
  // What is to be cut. Its end is that of a record.
  const Source *source = nullptr;
  // In one tile: whatever is in it, or if it has this byte.
  bool whole = false;
  std::optional<char> quote = {};
  // What becomes of it.
  std::vector<ContentTile> tiles = {};
  Status status = Status::ok();
};

// Reads all of the files, with so many threads.
void cut_by_content(const CutBytes &ends_of_records, i64 tile_bytes, const ContentHash &hash,
                    i64 threads, std::vector<CutFile> *files);

}  // namespace mrc
