// Groups that outlive the run. Tiles are sealed while the input is mapped. In the end the groups of
// all tiles are reduced, including those of earlier runs.
#pragma once

#include "engine/inner/sealed_tiles.h"
#include "engine/inner/state_inputs.h"
#include "engine/sinks/group_conduct.h"
#include "engine/sinks/group_worker.h"

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace mrc {

class KeptGroups : public GroupConduct {
 public:
  explicit KeptGroups(GroupingSink *sink);

  Status open() override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void adjust(GroupSettings *settings) const override;
  bool shares_partitions() const override { return false; }
  bool adopts() const override { return true; }
  // Commits the tiles of this run, unless the sink has failed, and then folds all tiles.
  Status adopt() override;

  // Collects the parts of workers while they map. REQUIRES: there is input to read
  SealedTiles *tiles() { return &*tiles_; }
  const ContentHash &hash() const { return inputs_.hash(); }

 private:
  // The blocks of a run that hold the states of one tile.
  struct Stretch {
    Portion portion;
    const RunFile *file;
    std::vector<BlockInfo> blocks;
  };
  struct OpenRun {
    i64 number;
    RunFile file;
    std::optional<RunReader> reader = {};
  };

  Status keep();
  Status close_tiles();
  bool is_whole(const SealedTile &tile) const;
  std::set<i64> partial_sources() const;
  std::vector<std::string> formats() const;
  Status compact();
  Status copy_tiles();
  Result<SealedTile> compact(std::span<const Stretch> of_source);
  Result<std::vector<Stretch>> known_stretches();
  Result<std::vector<Stretch>> stretches();
  Result<Stretch> stretch_of(i64 run, const Portion &portion, const SealedBlocks &blocks);
  Result<const OpenRun *> open_run(i64 number);
  Status load(const Stretch &stretch, std::span<const BlockInfo> blocks, Pages *buffer,
              GroupWorker *into) const;
  Status load_all();

  StateInputs &inputs_;
  const StateLayout whole_;  // saves states with all of their values
  i64 number_ = -1;          // number of this run's file
  std::optional<RunFile> file_;
  std::optional<SealedTiles> tiles_;
  std::deque<OpenRun> runs_;
  std::vector<SealedTile> partial_;  // tiles that count for this answer only, see is_whole()
};

}  // namespace mrc
