// engine: which units of a scan are finished together: the sub-jobs of Tiled-MapReduce (section 4).
#pragma once

#include "split/chunk_source.h"

#include <map>
#include <vector>

namespace mrc {

// Which units are finished together, and when they are. Not thread safe.
//
// By source: each is one tile. By size: a tile has, of each source, the units that follow those
// of the tiles before, so that tiles 0 to n together are a front part of every source.
class TileBook {
 public:
  // `tile_bytes`: 0: tiles are by source.
  explicit TileBook(i64 tile_bytes) : tile_bytes_(tile_bytes) {}

  // The tile of a unit that has been claimed. Those of one source come about in their order.
  i64 enter(const Unit &unit);
  // So many units of a tile are mapped. Whether it is complete now.
  bool leave(i64 tile, i64 units);
  // All units have come. Returns the tiles that are complete now, and were not before.
  std::vector<i64> close();
  // By size: what enters from now on is of the next tile. Nothing happens if this one has no units.
  // Returns whether that completes the tile.
  bool end_tile();
  // By size: the tile that is open.
  i64 open() const { return open_; }

 private:
  struct Tile {
    i64 units = 0;  // that it has in all, once it is closed
    i64 entered = 0, left = 0, bytes = 0;
    bool is_closed = false, is_done = false;
    std::vector<i64> sources;  // of which it has units
  };
  // Of one source.
  struct Border {
    i64 first;  // unit of the tile
    i64 tile;
  };
  struct Progress {
    std::vector<Border> borders;
    i64 next = 0;      // the first unit that no closed tile has
    i64 furthest = 0;  // the end of what has entered
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
