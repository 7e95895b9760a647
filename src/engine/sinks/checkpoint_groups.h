// Groups of a job that leaves checkpoints: how workers save them, and what is folded in the end of
// what they have saved.
#pragma once

#include "engine/checkpoints.h"
#include "engine/run.h"
#include "engine/sinks/group_worker.h"
#include "reduce/state_writer.h"

#include <memory>
#include <vector>

namespace mrc {

class CheckpointGroups {
 public:
  // `layout`: that which the run groups with, whose values may be in runs of their own. It
  // outlives this.
  CheckpointGroups(Run *run, const StateLayout &layout);

  Checkpoints &checkpoints() { return checkpoints_; }
  // Any worker saves what it has made, and goes on with it or, if it is much or not all in
  // tables, begins anew; then *emptied. Null: there is nothing.
  Result<std::shared_ptr<StatePart>> save(GroupWorker *grouping, bool *emptied);

  // After the scan: adds what earlier runs and emptied workers have saved. `settings`: those that
  // the run groups with.
  Status load(const GroupSettings &settings, std::vector<std::unique_ptr<MapOutput>> *outputs);

 private:
  Status write(std::vector<std::unique_ptr<MapOutput>> output, StateWriter *writer) const;
  Status load(const RunFile &file, GroupWorker *into) const;

  Run &run_;
  CheckpointInputs &inputs_;
  const StateLayout &layout_;
  const StateLayout whole_;  // saves states with all of their values
  Checkpoints checkpoints_;
};

}  // namespace mrc
