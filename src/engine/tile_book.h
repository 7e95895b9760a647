// engine: which units of a scan are finished together: the sub-jobs of Tiled-MapReduce (section 4).
#pragma once

#include "split/chunk_source.h"

#include <map>
#include <utility>
#include <vector>

namespace mrc {

// Which units are finished together, and when they are. Not thread safe.
//
// By source: each is one tile. By size: units of files that follow each other, so that what is
// complete is a front part of the input; streams are whole in tiles of their own.
class TileBook {
 public:
  // `first_units`: by source, how many units of files come before its own. `tile_bytes`: 0: tiles
  // are by source.
  TileBook(std::vector<i64> first_units, i64 tile_bytes)
      : first_units_(std::move(first_units)), tile_bytes_(tile_bytes) {}

  // The tile of a unit that has been claimed.
  i64 enter(const Unit &unit, bool is_stream);
  // So many units of a tile are mapped. Whether it is complete now.
  bool leave(i64 tile, i64 units);
  // All units have come. Returns the tiles that are complete now, and were not before.
  std::vector<i64> close();
  // The next unit of a file begins a tile.
  void end_tile();

 private:
  struct Tile {
    // Of files: its units. end -1: more may come.
    i64 begin = 0, end = -1;
    i64 entered = 0, left = 0, bytes = 0;
    i64 open_streams = 0;
    bool is_closed = false;
    bool is_done = false;
  };
  struct StreamUnits {
    i64 tile = 0, entered = 0, all = -1;
  };
  i64 enter_file(i64 index, i64 bytes);
  i64 enter_stream(const Unit &unit, i64 bytes);
  i64 add_tile();
  Tile &tile(i64 number) { return tiles_[static_cast<size_t>(number)]; }
  static bool is_complete_now(Tile *tile);

  const std::vector<i64> first_units_;
  const i64 tile_bytes_;
  std::vector<Tile> tiles_;
  std::vector<i64> of_files_;  // numbers of tiles, in the order of input
  std::map<i64, StreamUnits> streams_;
  i64 of_streams_ = -1;  // the tile that the next stream is in; -1: a new one
  i64 furthest_ = -1;    // unit of a file that has entered
};

}  // namespace mrc
