// engine: seals tiles of a scan on disk as soon as all of their units are mapped.
#pragma once

#include "engine/inner/part_book.h"
#include "engine/inner/run.h"
#include "engine/inner/tile_book.h"
#include "portion.h"
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
  std::vector<Portion> portions;
  i64 units = 0;
};

// A complete tile, and the blocks that hold its states.
struct SealedTile {
  std::vector<Portion> portions;  // sorted, with adjacent ranges joined
  SealedBlocks blocks;
};

// Collects the parts of tiles, and seals a tile when it has the last part. A tile is a source or a
// planned part of one. The worker that brings the last part seals the tile, while others map the
// next one (Tiled-MapReduce 5.2: the pipeline).
class SealedTiles {
 public:
  // `layout`: the layout of the parts, whose values may be in runs of their own. `whole`: the
  // layout of saved states, which contain all of their values. `file` takes the saved states. All
  // outlive this.
  SealedTiles(const Plan &plan, const StateLayout &layout, const StateLayout &whole,
              i64 memory_bytes, const RunFile *file);

  // Returns the tile of a unit that a worker has claimed. Any thread.
  i64 enter(const Unit &unit);
  // Returns an empty output, with the memory of a sealed tile, for a worker's next tile. Null:
  // there is none. Any thread.
  std::unique_ptr<MapOutput> take_empty();
  // Takes a worker's part of a tile. The worker moves on to another tile. Any thread.
  Status leave(i64 tile, TilePart part);
  // Seals the remaining tiles, because all units are mapped. Returns all tiles of this run in the
  // order of the input.
  Result<std::vector<SealedTile>> close();
  // Seals a tile that consists of `parts`. Any thread.
  Result<SealedTile> seal(std::vector<TilePart> parts);
  // Copies the blocks of a sealed tile from the file of another run. Any thread.
  Status copy(const RunFile &file, std::span<const BlockInfo> blocks, SealedBlocks *written);
  // Completes the run.
  Status finish() { return run_.is_empty() ? Status::ok() : run_.finish(); }

  const SealedRun &run() const { return run_; }

 private:
  struct Open {
    std::vector<TilePart> parts;
  };
  Status seal_own(std::vector<TilePart> parts);
  // Merges the outputs into `groups`. `keys`: an upper bound.
  Status reduce(std::span<const std::unique_ptr<MapOutput>> outputs, i64 keys,
                SealedGroups *groups);
  void keep_empty(std::vector<std::unique_ptr<MapOutput>> outputs);

  const Plan &plan_;
  const StateLayout &layout_, &whole_;
  const i64 memory_bytes_;
  SealedRun run_;
  std::mutex mutex_;
  PartBook parts_;
  TileBook book_;  // for sources without planned parts; numbered after the tiles of parts_
  std::map<i64, Open> open_;
  std::vector<SealedTile> sealed_;
  std::vector<std::unique_ptr<MapOutput>> empty_;
};

}  // namespace mrc
