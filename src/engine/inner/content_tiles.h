// engine: cuts files into tiles whose borders depend on their content.
#pragma once

#include "base/hash.h"
#include "base/status.h"
#include "input/input.h"
#include "split/line_groups.h"
#include "split/split.h"

#include <optional>
#include <vector>

namespace mrc {

struct ContentTile {
  i64 begin = 0, end = 0;
  u64 own = 0;      // ContentHash of its bytes as if they began the file
  u64 content = 0;  // ContentHash of its bytes at their offset
};

struct CutFile {
  // The file to cut. It ends with a record.
  const Source *source = nullptr;
  // Makes one tile of the file: always, or if the file contains this byte.
  bool whole = false;
  std::optional<char> quote = {};
  LineGroups groups = {};  // set if records may have several lines: tiles end with a record then
  // Results of cut_by_content().
  std::vector<ContentTile> tiles = {};
  Status status = Status::ok();
};

// Reads all of the files, with `threads` threads.
void cut_by_content(const CutBytes &ends_of_records, i64 tile_bytes, const ContentHash &hash,
                    i64 threads, std::vector<CutFile> *files);

}  // namespace mrc
