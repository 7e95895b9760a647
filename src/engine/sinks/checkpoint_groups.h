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
  // `aggregation`: that of the job.
  CheckpointGroups(Run *run, Aggregation aggregation);

  Checkpoints &checkpoints() { return checkpoints_; }
  // Any worker saves what it has made, and goes on with it or, if it is much or not all in
  // tables, begins anew; then *emptied. Null: there is nothing.
  Result<std::shared_ptr<StatePart>> save(GroupWorker *grouping, bool *emptied);

  // After the scan: adds what earlier runs and emptied workers have saved. `layout`, `settings`:
  // those that the run groups with.
  Status load(const StateLayout &layout, const GroupSettings &settings,
              std::vector<std::unique_ptr<MapOutput>> *outputs);

 private:
  Status write(std::vector<std::unique_ptr<MapOutput>> output, StateWriter *writer) const;
  Status load(const RunFile &file, GroupWorker *into) const;

  Run &run_;
  KeptInputs &inputs_;
  const StateLayout layout_;  // states are saved whole
  Checkpoints checkpoints_;
};

}  // namespace mrc
