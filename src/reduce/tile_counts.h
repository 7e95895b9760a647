// reduce: what became of the tiles of a run.
#pragma once

#include "base/int.h"

namespace mrc {

// For --stats.
struct TileCounts {
  i64 tiles = 0;             // that were complete while input was mapped
  i64 stolen = 0;            // that groups of CPUs took of each other's shares
  i64 keys = 0;              // in the tables of all tiles
  i64 tables = 0;            // that were made for them
  i64 reduced = 0;           // partitions of tiles
  i64 waits = 0;             // of workers, for others that map the same tile
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
