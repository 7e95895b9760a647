// Groups that outlive the run: tiles are sealed while the input is mapped, and what is reduced is
// what all of them hold, those of earlier runs included.
#pragma once

#include "engine/sealed_tiles.h"
#include "engine/sinks/group_worker.h"
#include "engine/state_inputs.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// `layout` and `settings` of the functions below are those that the run groups with.
class KeptGroups {
 public:
  // `aggregation`: that of the job.
  KeptGroups(Run *run, Aggregation aggregation);

  // Before the scan.
  Status open(const StateLayout &layout);
  // Takes the parts of workers while they map. REQUIRES: there is something to read
  SealedTiles *tiles() { return &*tiles_; }
  const ContentHash &hash() const { return inputs_.hash(); }
  char terminator() const { return run_.program.map.terminator; }

  // After the scan: tiles of this run are kept from here on, whatever happens. `failure` says
  // whether states are what they should be: an error of it, and nothing is kept.
  Status keep(const StateLayout &layout, const GroupSettings &settings,
              const std::function<Status()> &failure);
  // Folds all tiles. Returns what each worker has made of its share.
  Result<std::vector<std::unique_ptr<MapOutput>>> load(const StateLayout &layout,
                                                       const GroupSettings &settings);

 private:
  // Blocks of a run that hold states of one tile, or a part of these.
  struct Stretch {
    Covered covered;
    const RunFile *file;
    std::vector<BlockInfo> blocks;
  };
  struct OpenRun {
    i64 number;
    RunFile file;
    std::optional<RunReader> reader = {};
  };

  Status close_tiles();
  bool is_whole(const SealedTile &tile) const;
  std::set<i64> partial_sources() const;
  std::vector<std::string> formats() const;
  Status compact(const StateLayout &layout, const GroupSettings &settings);
  Status copy_tiles();
  Result<SealedTile> compact(std::span<const Stretch> of_source, const StateLayout &layout,
                             const GroupSettings &settings);
  Result<std::vector<Stretch>> known_stretches();
  Result<std::vector<Stretch>> stretches();
  Result<Stretch> stretch_of(i64 run, const Covered &covered, const SealedBlocks &blocks);
  Result<const OpenRun *> open_run(i64 number);
  Status load(const Stretch &stretch, std::span<const BlockInfo> blocks, Pages *buffer,
              GroupWorker *into) const;

  Run &run_;
  StateInputs &inputs_;
  const StateLayout whole_;  // of states that are saved whole
  i64 number_ = -1;          // of the run file of this run
  std::optional<RunFile> file_;
  std::optional<SealedTiles> tiles_;
  std::deque<OpenRun> runs_;
  std::vector<SealedTile> partial_;  // of inputs that could not be read to their end
};

}  // namespace mrc
