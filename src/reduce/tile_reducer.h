// reduce: what the workers of a group of CPUs have made of a tile is folded into partitions of the
// group, while they map the next tile (Tiled-MapReduce 4.1, 5.1, 5.3).
#pragma once

#include "reduce/reduce.h"
#include "reduce/tile_counts.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mrc {

struct TileSpec {
  ContainerSpec container;  // of workers
  int partition_bits = 0;
  i64 expected_keys = 0;       // in all partitions; 0: unknown
  i64 most_bytes = INT64_MAX;  // of partitions in memory: then they become a run
  OverflowSpec overflow;       // of runs
  bool overlaps = true;        // else workers wait for each other at the end of a tile
  bool compresses = true;      // else what tiles have made stays as it is until all is mapped
  bool reuses = true;          // tables of one tile for the next
  bool merges_runs = true;     // while others map (MaRCO 4)
};

// The partial results of a group of CPUs: each key once, however many tiles it is in. Workers
// hand over their tables when they have mapped their last unit of a tile. When a tile is
// complete, its tables are merged by partitions; workers do so between two units. Thread safe.
class TileReducer {
 public:
  // `layout` outlives this.
  TileReducer(const StateLayout &layout, const TileSpec &spec);
  TileReducer(const TileReducer &) = delete;

  // For what a worker makes of its next tile.
  std::unique_ptr<MapOutput> take_empty();
  // A tile has so many units, and no more.
  void close(i64 tile, i64 units);
  // A worker has mapped so many units of a tile, to this; null: it keeps what it has made.
  // REQUIRES: sealed groups; no staged records
  void leave(i64 tile, i64 units, std::unique_ptr<MapOutput> output);
  // Has the worker do what is due. Unless tiles overlap, until the one that it has left is done.
  Status help(i64 left_tile);
  // The same, of a worker that has no more units.
  Status end();
  // The scan ends early: no worker waits any more.
  void stop();

  // When all workers have ended: what is not merged goes to `outputs`, and with it the memory that
  // states are in.
  std::unique_ptr<SharedPartitions> finish(std::vector<std::unique_ptr<MapOutput>> *outputs);
  const TileCounts &counts() const { return counts_; }

 private:
  using Outputs = std::vector<std::unique_ptr<MapOutput>>;
  struct Tile {
    i64 units = -1;  // -1: not closed
    i64 left = 0;    // of them, by workers
    Outputs outputs;
  };
  using Lock = std::unique_lock<std::mutex>;

  void complete(i64 tile);
  bool is_done(i64 tile) const;
  bool begin_partition(i64 *partition);
  Status merge(i64 partition, Lock *lock);
  Status end_tile(Lock *lock);
  Status spill();
  bool may_merge_runs() const;
  Status merge_runs(Lock *lock);

  const StateLayout &layout_;
  const TileSpec spec_;
  std::unique_ptr<SharedPartitions> partitions_;
  Arena states_;  // that workers made and partitions have taken over

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<i64, Tile> open_;     // tiles of which units are missing
  std::deque<Tile> due_;         // complete
  std::optional<Tile> current_;  // that is being merged
  i64 next_ = 0, merged_ = 0;    // partitions of it
  Outputs free_;                 // whose groups may be cleared
  Outputs waiting_;              // that are not to be merged yet
  std::vector<std::unique_ptr<OverflowBuffer>> runs_;
  bool merges_runs_ = false;  // a worker does
  bool merging_pays_ = true;
  bool ends_ = false, stopped_ = false;
  TileCounts counts_;
};

}  // namespace mrc
