// Groups of a job that leaves checkpoints: how workers save them, and what is folded in the end of
// what they have saved.
#pragma once

#include "engine/checkpoints.h"
#include "engine/run.h"
#include "engine/sinks/state_files.h"

#include <memory>
#include <vector>

namespace mrc {

class CheckpointGroups {
 public:
  // `layout`: see StateFiles.
  CheckpointGroups(Run *run, const StateLayout &layout);

  Checkpoints &checkpoints() { return checkpoints_; }
  // Any worker saves what it has made, and goes on with it or, if it is much or not all in
  // tables, begins anew; then *emptied. Null: there is nothing.
  Result<std::shared_ptr<StatePart>> save(GroupWorker *grouping, bool *emptied);

  // After the scan: adds what earlier runs and emptied workers have saved. `settings`: those that
  // the run groups with.
  Status load(const GroupSettings &settings, std::vector<std::unique_ptr<MapOutput>> *outputs);

 private:
  Run &run_;
  CheckpointInputs &inputs_;
  const StateFiles files_;
  Checkpoints checkpoints_;
};

}  // namespace mrc
