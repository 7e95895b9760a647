// engine: a scan leaves checkpoints on its way, so that the job can go on after a crash
// (Tiled-MapReduce 5.3).
//
// At the end of each tile, every worker saves what it has made so far: states of all that it
// mapped, this tile and those before, in place of what it saved last. When the last worker has
// left the tile, a thread of its own forces these files to disk, and a manifest that names them.
// So no worker waits for another, nor for the disk, and nothing is merged, sorted or read again.
//
// What a worker saves must stay small against the input. If it does not, the worker empties its
// tables: that file stays, and is folded when the input ends.
#pragma once

#include "engine/checkpoint_inputs.h"
#include "engine/saver.h"
#include "engine/tile_book.h"
#include "store/store.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace mrc {

// States that a worker has saved. The file goes with this unless a checkpoint names it.
struct StatePart {
  i64 number = -1;
  RunFile file;
  bool is_named = false;
};

// Thread safe.
class Checkpoints {
 public:
  // Tiles have so many bytes, and begin at least so often; 0: that does not matter. `inputs`
  // belong to this until finish() has returned. `failed`: see Saver.
  Checkpoints(CheckpointInputs *inputs, const KeepSpec &spec, i64 workers, Saver::Failed failed);

  // The tile of a unit that a worker has claimed. It has left the one before.
  i64 enter(i64 worker, const Unit &unit);
  // A file for what a worker saves.
  Result<std::shared_ptr<StatePart>> create();
  // What a worker has mapped of a tile that it leaves.
  struct Share {
    i64 units = 0;
    std::vector<Covered> covered;
    std::vector<i64> finished;  // sources of which it had the last unit
    KeptFlaws flaws;
  };
  // `part`: of all that the worker has mapped since it last emptied its tables; null: nothing
  // came of it. `emptied`: it begins anew.
  void leave(i64 worker, i64 tile, Share share, std::shared_ptr<StatePart> part, bool emptied);
  // What a worker may save at the end of each tile, in bytes.
  i64 most_saved() const { return most_saved_; }
  // A checkpoint could not be made: none will be.
  void fail(const Status &status) { saver_.fail(status); }
  bool has_failed() { return saver_.has_failed(); }

  // All is mapped, and no checkpoint will be made any more.
  void finish() { saver_.finish(); }
  // After finish(): of workers that have emptied their tables.
  std::vector<std::shared_ptr<StatePart>> emptied() const;
  i64 made() const { return made_; }
  i64 bytes() const { return bytes_; }

 private:
  struct Saved {
    i64 tile;
    std::shared_ptr<StatePart> part;
    bool emptied;
  };
  // What is to be on disk.
  struct Checkpoint {
    CheckpointInputs::Checkpoint at;  // without the runs, which are not on disk yet
    std::vector<std::shared_ptr<StatePart>> parts;
  };

  void advance();
  std::vector<std::shared_ptr<StatePart>> parts_before(i64 tile);
  Status save(Checkpoint *next);

  CheckpointInputs &inputs_;
  const i64 every_seconds_;
  const i64 most_saved_;
  std::mutex mutex_;
  TileBook book_;
  double tile_began_ = 0;
  i64 next_run_;
  std::vector<i64> tiles_;  // that workers are in; -1: none yet
  std::map<i64, Share> shares_;
  std::set<i64> complete_;
  i64 front_ = 0;                          // all tiles before this one are complete
  i64 held_until_ = -1;                    // no checkpoint lies before the end of this tile
  CheckpointInputs::Marks marks_;          // at the front
  KeptFlaws flaws_;                        // the same
  std::vector<std::vector<Saved>> saved_;  // by worker, in the order of tiles
  i64 made_ = 0, bytes_ = 0;               // of the saver
  Saver saver_;
};

}  // namespace mrc
