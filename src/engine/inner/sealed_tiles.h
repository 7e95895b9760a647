// engine: seals tiles of a scan on disk as soon as all of their units are mapped, and keeps them.
#pragma once

#include "engine/inner/ledger.h"
#include "engine/inner/product.h"
#include "engine/inner/run.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace mrc {

class StateInputs;

// Returns the range of a chunk. `ends`: the bytes that end a record.
Portion portion_of(const Chunk &chunk, const ContentHash &hash, const CutBytes &ends);
// How the records of a source are read, as a state keeps it.
struct Reading {
  std::string format;  // name of the format; "": unknown
  u64 hash = 0;        // reading_of()
};
// Returns the readings of all sources.
std::vector<Reading> readings_of(const Run &run);

// One worker's part of a tile.
struct TilePart {
  std::unique_ptr<TileProduct> product;
  std::vector<Portion> portions;
  i64 units = 0;
};

// A complete tile, and the blocks that hold what was made of it.
struct SealedTile {
  std::vector<Portion> portions;  // sorted, with adjacent ranges joined
  SealedBlocks blocks;
};

// Collects the parts of tiles, and seals a tile when it has the last part. A tile is a source or a
// planned part of one. The worker that brings the last part seals the tile, while others map the
// next one (Tiled-MapReduce 5.2: the pipeline).
class SealedTiles {
 public:
  // `file` takes the tiles. All outlive this.
  SealedTiles(const Plan &plan, Products *products, const RunFile *file);

  // Returns the tile of a unit that a worker has claimed. Any thread.
  i64 enter(const Unit &unit);
  // Takes a worker's part of a tile. The worker moves on to another tile. Any thread.
  Status leave(i64 tile, TilePart part);
  // Seals the remaining tiles, because all units are mapped. Returns all tiles of this run in the
  // order of the input.
  Result<std::vector<SealedTile>> close();
  // Seals tiles of one source, which are in order, as one. Any thread.
  Result<SealedTile> merge(std::span<const KeptStretch> tiles);
  // Completes the run.
  Status finish() { return run_.finish(); }

  SealedRun &run() { return run_; }

 private:
  Status seal(std::vector<TilePart> parts);
  // Returns where the positions of a tile count from. They are relative, because the next run may
  // give the source another number or find the tile elsewhere.
  u64 origin_of(const Portion &front) const;

  const Plan &plan_;
  Products &products_;
  SealedRun run_;
  std::mutex mutex_;
  Ledger ledger_;
  std::map<i64, std::vector<TilePart>> open_;
  std::vector<SealedTile> sealed_;
};

// Results that outlive the run (--state). Tiles are sealed while the input is mapped. In the end
// the tiles of all runs are loaded.
class KeptTiles : public Conduct {
 public:
  // Both arguments outlive this.
  KeptTiles(Run *run, Products *products);

  Status open() override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void adjust(GroupSettings *settings) const override;
  bool shares_partitions() const override { return false; }
  bool adopts() const override { return true; }
  // Commits the tiles of this run, and then loads all tiles.
  Status adopt() override;

 private:
  struct OpenRun {
    i64 number;
    RunFile file;
    std::optional<RunReader> reader = {};
  };

  Status keep();
  Status close_tiles();
  bool is_whole(const SealedTile &tile) const;
  std::set<i64> partial_sources() const;
  Status compact();
  Status copy_tiles();
  Result<std::vector<KeptStretch>> known_stretches();
  Result<std::vector<KeptStretch>> stretches();
  Result<KeptStretch> stretch_of(i64 run, const Portion &portion, const SealedBlocks &blocks);
  Result<const OpenRun *> open_run(i64 number);

  Run &run_;
  Products &products_;
  StateInputs &inputs_;
  i64 number_ = -1;  // number of this run's file
  std::optional<RunFile> file_;
  std::optional<SealedTiles> tiles_;  // unset: there is no input to read
  std::deque<OpenRun> runs_;
  std::vector<SealedTile> partial_;  // tiles that count for this answer only, see is_whole()
};

}  // namespace mrc
