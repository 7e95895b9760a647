// engine: makes checkpoints during a scan, so that the job can resume after a crash
// (Tiled-MapReduce 5.3).
//
// At the end of each tile, every worker saves its states, which cover this tile and those before.
// The new file replaces the worker's last one. When the last worker has left the tile, a separate
// thread forces these files to disk, and then a manifest that names them. So no worker waits for
// another or for the disk, and nothing is merged, sorted or read again.
//
// Saved states must stay small compared with the input. If they do not, the worker empties its
// tables after saving: that file is kept, and is folded when the input ends.
#pragma once

#include "base/status.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/ledger.h"
#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "store/store.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mrc {

// A thread that writes checkpoints, so that no worker waits for the disk. Thread safe.
class Saver {
 public:
  using Work = std::function<Status()>;
  using Failed = std::function<void(const Status &)>;

  // `failed` is called at most once, with the first error. No checkpoint is made after it.
  explicit Saver(Failed failed);
  ~Saver() { finish(); }

  // Queues work, and drops queued work that has not begun.
  void save(Work work);
  // Reports that a checkpoint could not even be prepared.
  void fail(const Status &status);
  bool has_failed();
  // Waits for work that has begun, and drops queued work.
  void finish();

 private:
  void work_on();

  const Failed failed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Work> next_;
  bool has_failed_ = false, ends_ = false;
  std::thread thread_;
};

// Returns a function that warns the user of the run.
Saver::Failed complaint_to(Run *run);

// Thread safe.
class Checkpoints : public PartFiles {
 public:
  // `spec` sets the size of tiles, and the seconds after which a tile ends early. Only this may use
  // `inputs` until finish() has returned. `failed`: see Saver.
  Checkpoints(CheckpointInputs *inputs, const KeepSpec &spec, i64 workers, Saver::Failed failed);

  // Returns the tile of a unit that a worker has claimed. If it is not the worker's last tile, the
  // worker has mapped its part of that one, and may leave() it now.
  i64 enter(i64 worker, const Unit &unit);
  // The part of a tile that one worker has mapped.
  struct Share {
    i64 units = 0;
    std::vector<Portion> portions;
    std::vector<i64> finished;  // sources whose last unit it had
    KeptFlaws flaws;
  };
  // Notes that a worker leaves a tile. `part`: states of all that it has mapped since it last
  // emptied its tables; null: there are none. `emptied`: it has emptied its tables now.
  void leave(i64 worker, i64 tile, Share share, std::shared_ptr<SavedPart> part, bool emptied);

  Result<std::shared_ptr<SavedPart>> create() override;
  i64 most_bytes() const override { return most_saved_; }
  bool has_failed() override { return saver_.has_failed(); }
  // Reports that a checkpoint could not be made. No more will be made.
  Status fail(const Status &status) override {
    saver_.fail(status);
    return Status::ok();
  }

  // Called when all input is mapped: no more checkpoints are made.
  void finish() { saver_.finish(); }
  // Returns the files of workers that have emptied their tables after saving them. Called after
  // finish().
  SavedParts emptied() const;
  i64 made() const { return made_; }
  i64 bytes() const { return bytes_; }

 private:
  struct Saved {
    i64 tile;
    std::shared_ptr<SavedPart> part;
    bool emptied;
  };
  // A checkpoint to bring to disk.
  struct Checkpoint {
    CheckpointInputs::Checkpoint at;  // without the runs, which are not on disk yet
    SavedParts parts;
  };

  void advance();
  SavedParts parts_before(i64 tile);
  Status save(Checkpoint *next);

  CheckpointInputs &inputs_;
  const i64 every_seconds_;
  const i64 most_saved_;
  std::mutex mutex_;
  Ledger ledger_;
  double tile_began_ = 0;
  i64 next_run_;
  std::vector<i64> tiles_;  // by worker: the tile that it is in; -1: none yet
  std::map<i64, Share> shares_;
  i64 front_ = 0;                          // all tiles before this one are in marks_
  i64 held_until_ = -1;                    // no checkpoint is made until this tile is complete
  CheckpointInputs::Marks marks_;          // marks at the front
  KeptFlaws flaws_;                        // faults before the front
  std::vector<std::vector<Saved>> saved_;  // by worker, in the order of tiles
  i64 made_ = 0, bytes_ = 0;               // written by the saver's thread
  Saver saver_;
};

// Workers save their products at the ends of tiles, so that the next run can resume a
// killed one.
class Checkpointed : public Conduct {
 public:
  // Both arguments outlive this.
  Checkpointed(Run *run, Products *products);

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  bool shares_partitions() const override { return false; }
  bool adopts() const override { return true; }
  // Adds what earlier runs have saved, and what workers saved before they started over.
  Status adopt() override;

 private:
  Result<SavedParts> parts_of_earlier_runs() const;

  Run &run_;
  Products &products_;
  CheckpointInputs &inputs_;
  Checkpoints checkpoints_;
};

}  // namespace mrc
