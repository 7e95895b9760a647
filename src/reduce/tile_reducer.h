// reduce: folds the tables of a tile into partitions of a group of CPUs, while its workers map the
// next tile (Tiled-MapReduce 4.1, 5.1, 5.3).
#pragma once

#include "reduce/counts.h"
#include "reduce/reduce.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mrc {

struct TileSpec {
  ContainerSpec container;  // spec of the workers' containers
  int partition_bits = 0;
  i64 expected_keys = 0;       // in all partitions; 0: unknown
  i64 most_bytes = INT64_MAX;  // memory of the partitions; beyond it they become a run
  OverflowSpec overflow;       // spec of runs
  bool overlaps = true;        // false: workers wait for each other at the end of a tile
  bool compresses = true;      // false: tables of tiles are kept until all input is mapped
  bool reuses = true;          // a tile reuses the tables of earlier ones
  bool merges_runs = true;     // merges runs while others map (MaRCO 4)
};

// The partial results of a group of CPUs, with each key once over all tiles. A worker hands over
// its table when it has mapped its last unit of a tile. When a tile is complete, workers merge its
// tables by partitions between two units. Thread safe.
class TileReducer {
 public:
  // REQUIRES: `layout` outlives this
  TileReducer(const StateLayout &layout, const TileSpec &spec);
  TileReducer(const TileReducer &) = delete;

  // Returns an empty output for a worker's next tile.
  std::unique_ptr<MapOutput> take_empty();
  // Sets the number of units of a tile, which is final.
  void close(i64 tile, i64 units);
  // Notes that a worker has mapped `units` of a tile into `output`; null if it keeps its output.
  // REQUIRES: sealed groups; no staged records
  void leave(i64 tile, i64 units, std::unique_ptr<MapOutput> output);
  // Has the worker do merges that are due. Unless tiles overlap, returns only when `left_tile` is
  // merged.
  Status help(i64 left_tile);
  // Does what help() does, for a worker that has no more units.
  Status end();
  // Ends the scan early: no worker waits any more.
  void stop();

  // Called when all workers have ended. Moves tables and runs that are not merged to `outputs`, and
  // the memory of states.
  std::unique_ptr<SharedPartitions> finish(std::vector<std::unique_ptr<MapOutput>> *outputs);
  const TileCounts &counts() const { return counts_; }

 private:
  using Outputs = std::vector<std::unique_ptr<MapOutput>>;
  struct Tile {
    i64 units = -1;  // -1: not closed
    i64 left = 0;    // units that workers have mapped
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
  Arena states_;  // states that partitions have taken over from workers

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<i64, Tile> open_;     // tiles that are not complete
  std::deque<Tile> due_;         // complete
  std::optional<Tile> current_;  // the tile that is being merged
  i64 next_ = 0, merged_ = 0;    // counts of its partitions
  Outputs free_;                 // outputs that may be cleared and reused
  Outputs waiting_;              // outputs that are kept until all input is mapped
  std::vector<std::unique_ptr<OverflowBuffer>> runs_;
  bool merges_runs_ = false;  // a worker merges runs
  bool merging_pays_ = true;
  bool ends_ = false, stopped_ = false;
  TileCounts counts_;
};

}  // namespace mrc
