// reduce: counts of the tiles of a run.
#pragma once

#include "base/int.h"

namespace mrc {

// Counts that --stats prints.
struct TileCounts {
  i64 tiles = 0;             // tiles that were complete during the map phase
  i64 stolen = 0;            // taken by groups of CPUs from each other's shares
  i64 keys = 0;              // keys in the tables of all tiles
  i64 tables = 0;            // tables made for tiles
  i64 reduced = 0;           // partitions of tiles that were merged
  i64 waits = 0;             // waits of workers for others that map the same tile
  i64 runs = 0, merged = 0;  // written to disk; merged again

  TileCounts &operator+=(const TileCounts &other);
};

inline TileCounts &TileCounts::operator+=(const TileCounts &other) {
  tiles += other.tiles;
  stolen += other.stolen;
  keys += other.keys;
  tables += other.tables;
  reduced += other.reduced;
  waits += other.waits;
  runs += other.runs;
  merged += other.merged;
  return *this;
}

}  // namespace mrc
