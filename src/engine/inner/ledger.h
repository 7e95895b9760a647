// engine: which units of a scan have begun and which are mapped, each and by tile: the sub-jobs of
// Tiled-MapReduce (section 4).
#pragma once

#include "input/input.h"
#include "split/chunk_source.h"

#include <map>
#include <utility>
#include <vector>

namespace mrc {

// For each source: true if it has units.
std::vector<bool> sources_with_units(const std::vector<Source> &sources);

// Assigns units to tiles, notices when a tile is complete, and says whether the units that have
// begun are a prefix of the input. Not thread safe.
//
// By size: each tile continues every source where the tile before it ended, so that tiles 0 to n
// together are a prefix of every source. By source: each source is one tile, and so is each planned
// part of a source; tiles of parts come first, in the order of the input.
class Ledger {
 public:
  static Ledger by_size(i64 tile_bytes) { return Ledger(tile_bytes); }
  static Ledger by_source(const std::vector<Source> &sources, const std::vector<Split> &splits);

  // Returns the tile of a unit that has been claimed and begins. Units of one source enter roughly
  // in order.
  i64 enter(const Unit &unit);
  // Notes that `units` units of a tile are mapped. True if the tile is complete now.
  bool leave(i64 tile, i64 units);
  // By size: closes the open tile, so that later units enter the next one. Does nothing if no tile
  // is open.
  void end_tile();
  // Ends the input. Returns the tiles that this completes, without planned parts that lack units.
  std::vector<i64> close();
  // All tiles before this one are complete.
  i64 front() const { return front_; }

  using Place = std::pair<i64, i64>;  // a source, and the number of a unit in it
  static Place place_of(const Unit &unit) { return {unit.source, unit.number}; }
  // No unit from here on has begun.
  Place end() const { return end_; }
  // True if all units before end() have begun. REQUIRES: by source
  bool is_gapless() const;

 private:
  struct Tile {
    i64 units = 0;  // number of its units, once it is closed
    i64 entered = 0, left = 0, bytes = 0;
    bool is_closed = false, is_done = false;
    std::vector<i64> sources = {};  // of its units
  };
  // The front of a tile in one source.
  struct Border {
    i64 first;  // first unit of the tile
    i64 tile;
  };
  struct Progress {
    std::vector<Border> borders;
    i64 next = 0;      // first unit that is in no closed tile
    i64 furthest = 0;  // end of the units that have begun
    i64 begun = 0;     // number of these units
    i64 all = -1;      // number of all its units; -1: not known yet
  };

  explicit Ledger(i64 tile_bytes) : tile_bytes_(tile_bytes) {}

  i64 planned_tile(i64 source, i64 begin) const;
  i64 tile_of(const Unit &unit, Progress *progress);
  i64 add_tile();
  void begin_stretch(i64 source, Progress *progress);
  Tile &tile(i64 number) { return tiles_[static_cast<size_t>(number)]; }
  bool completes(Tile *tile);

  const i64 tile_bytes_;                      // bytes of input per tile; 0: tiles are by source
  std::vector<bool> has_units_;               // for each source, by source
  std::vector<std::pair<i64, i64>> planned_;  // source and begin of the tiles that are parts
  std::vector<Tile> tiles_;
  std::map<i64, Progress> sources_;
  i64 open_ = -1;  // the open tile; -1: none
  i64 front_ = 0;
  Place end_{0, 0};
};

}  // namespace mrc
