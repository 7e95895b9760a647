// engine: tiles of a scan are sealed on disk as soon as all of their units are mapped.
#pragma once

#include "engine/covered.h"
#include "engine/part_book.h"
#include "engine/run.h"
#include "engine/tile_book.h"
#include "reduce/sealed_groups.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace mrc {

// One worker's part of a tile.
struct TilePart {
  std::unique_ptr<MapOutput> output;
  std::vector<Covered> covered;
  i64 units = 0;
};

// A tile that is complete, and where its states are.
struct SealedTile {
  std::vector<Covered> covered;  // by source and place; what lies side by side is one
  SealedBlocks blocks;
};

// Collects the parts of tiles, each of which is a source or a planned part of one, and seals a tile
// when it has the last of them. That is the work of the worker that brings it, while others map the
// next tile (Tiled-MapReduce 5.2: the pipeline).
class SealedTiles {
 public:
  // `layout`: that of the parts, whose values may be in runs of their own. `whole`: the same for
  // states that are saved whole. `file` takes these. All outlive this.
  SealedTiles(const Plan &plan, const StateLayout &layout, const StateLayout &whole,
              i64 memory_bytes, const RunFile *file);

  // The tile of a unit that a worker has claimed. Any thread.
  i64 enter(const Unit &unit);
  // For what a worker makes of its next tile: memory of one that is sealed. Null: there is none.
  // Any thread.
  std::unique_ptr<MapOutput> take_empty();
  // A worker has mapped its part of a tile, and goes on to another. Any thread.
  Status leave(i64 tile, TilePart part);
  // All units are mapped: seals what is left. Returns all tiles of this run, in the order of input.
  Result<std::vector<SealedTile>> close();
  // Seals a tile whose parts these are. Any thread.
  Result<SealedTile> seal(std::vector<TilePart> parts);
  // Writes the blocks of a sealed tile of another run. Any thread.
  Status copy(const RunFile &file, std::span<const BlockInfo> blocks, SealedBlocks *written);
  // Completes the file.
  Status finish() { return run_.is_empty() ? Status::ok() : run_.finish(); }

  const SealedRun &run() const { return run_; }

 private:
  struct Open {
    std::vector<TilePart> parts;
  };
  Status seal_own(std::vector<TilePart> parts);
  // `keys`: at most so many.
  Status reduce(std::span<const std::unique_ptr<MapOutput>> outputs, i64 keys,
                SealedGroups *groups);
  void keep_empty(std::vector<std::unique_ptr<MapOutput>> outputs);

  const Plan &plan_;
  const StateLayout &layout_, &whole_;
  const i64 memory_bytes_;
  SealedRun run_;
  std::mutex mutex_;
  PartBook parts_;
  TileBook book_;  // of sources without parts: their tiles have the numbers that follow
  std::map<i64, Open> open_;
  std::vector<SealedTile> sealed_;
  std::vector<std::unique_ptr<MapOutput>> empty_;
};

}  // namespace mrc
