// engine: tiles that the plan has made: the parts of sources that are to be read.
#pragma once

#include "input/input.h"
#include "split/chunk_source.h"

#include <vector>

namespace mrc {

// Finds the tile of a unit, and notices when all units of a tile are mapped. Not thread safe.
class PartBook {
 public:
  PartBook(const std::vector<Source> &sources, const std::vector<Split> &splits);

  i64 tiles() const { return std::ssize(tiles_); }
  // Returns the tile of a unit; -1: its source has no parts.
  i64 tile_of(i64 source, i64 begin) const;
  // Notes that `units` units of a tile are mapped. True if the tile is complete now.
  bool leave(i64 tile, i64 units);

 private:
  struct Tile {
    i64 source, begin;
    i64 left = 0;  // units to map
  };
  std::vector<Tile> tiles_;  // in the order of the input
};

}  // namespace mrc
