// engine: groups the units of a scan into tiles: the sub-jobs of Tiled-MapReduce (section 4).
#pragma once

#include "split/chunk_source.h"

#include <map>
#include <vector>

namespace mrc {

// Assigns units to tiles, and notices when a tile is complete. Not thread safe.
//
// By source: each source is one tile. By size: each tile continues every source where the tile
// before it ended, so that tiles 0 to n together are a prefix of every source.
class TileBook {
 public:
  // `tile_bytes`: bytes of input per tile; 0: tiles are by source.
  explicit TileBook(i64 tile_bytes) : tile_bytes_(tile_bytes) {}

  // Returns the tile of a unit that has been claimed. Units of one source enter roughly in order.
  i64 enter(const Unit &unit);
  // Notes that `units` units of a tile are mapped. True if the tile is complete now.
  bool leave(i64 tile, i64 units);
  // Ends the input. Returns the tiles that this completes.
  std::vector<i64> close();
  // By size: closes the open tile, so that later units enter the next one. Does nothing if no tile
  // is open. True if this completes the tile.
  bool end_tile();
  // Returns the open tile, if tiles are by size; -1: none is open.
  i64 open() const { return open_; }

 private:
  struct Tile {
    i64 units = 0;  // number of its units, once it is closed
    i64 entered = 0, left = 0, bytes = 0;
    bool is_closed = false, is_done = false;
    std::vector<i64> sources;  // of its units
  };
  // The front of a tile in one source.
  struct Border {
    i64 first;  // first unit of the tile
    i64 tile;
  };
  struct Progress {
    std::vector<Border> borders;
    i64 next = 0;      // first unit that is in no closed tile
    i64 furthest = 0;  // end of the units that have entered
  };

  i64 add_tile();
  void begin_stretch(i64 source, Progress *progress);
  Tile &tile(i64 number) { return tiles_[static_cast<size_t>(number)]; }
  static bool completes(Tile *tile);

  const i64 tile_bytes_;
  std::vector<Tile> tiles_;
  std::map<i64, Progress> sources_;
  i64 open_ = -1;
};

}  // namespace mrc
