// reduce: counts of the runs and tiles that were reduced during the map phase.
#pragma once

#include "base/int.h"

namespace mrc {

// Counts that --stats prints.
struct EagerCounts {
  i64 launches = 0;  // partial reduces
  i64 runs = 0;      // runs that they took
  i64 records = 0;   // records in these runs
  i64 left = 0;      // records in the results
  i64 most_at_once = 0;
  i64 refused = 0;  // launches that were refused because the input was nearly mapped
  i64 nice = 0;     // nice value of the thread of the last launch
};

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
