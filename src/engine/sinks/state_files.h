// Groups of workers as files: how they are saved, and folded again.
#pragma once

#include "engine/run.h"
#include "engine/sinks/group_worker.h"
#include "reduce/state_writer.h"

#include <functional>
#include <memory>
#include <vector>

namespace mrc {

// Thread safe.
class StateFiles {
 public:
  // `layout`: that which the run groups with, whose values may be in runs of their own. Both
  // outlive this.
  StateFiles(Run *run, const StateLayout &layout)
      : run_(*run), layout_(layout), whole_(layout.aggregation()) {}

  // Saves what a worker has made, which goes on with it; or, if that would take more than
  // `most_bytes` or is not all in tables, begins anew, so that it is saved once: then *emptied.
  // False: there is nothing.
  Result<bool> save(const RunFile &file, i64 most_bytes, GroupWorker *grouping,
                    bool *emptied) const;
  Status load(const RunFile &file, GroupWorker *into) const;

  // Folds so many files, and adds an output for each worker that has done so. `load_one`: one of
  // them, by number.
  using LoadOne = std::function<Status(i64 number, GroupWorker *into)>;
  Status load_all(i64 files, const LoadOne &load_one, const GroupSettings &settings,
                  std::vector<std::unique_ptr<MapOutput>> *outputs) const;

 private:
  bool is_much(GroupWorker *grouping, i64 most_bytes) const;
  Status write(std::vector<std::unique_ptr<MapOutput>> output, StateWriter *writer) const;

  Run &run_;
  const StateLayout &layout_;
  const StateLayout whole_;  // saves states with all of their values
};

}  // namespace mrc
