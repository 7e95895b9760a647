// Saves the groups of workers to files, and folds them again.
#pragma once

#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "engine/sinks/group_worker.h"
#include "reduce/state_writer.h"

#include <functional>
#include <memory>
#include <vector>

namespace mrc {

// Outputs of the workers, by worker, followed by those of other runs and processes. Some may be
// null.
using GroupOutputs = std::vector<std::unique_ptr<MapOutput>>;

// If there are few groups, or their states own memory, saved groups are folded into tables. Many
// groups of worker processes are saved by partitions of their hashes, so that reduce reads them
// like spilled records. Thread safe.
class SavedGroups {
 public:
  // `layout`: that of the run's groups, whose values may be in runs of their own. Both arguments
  // outlive this.
  SavedGroups(Run *run, const StateLayout &layout);

  // True if groups are saved by partitions. All workers then group with the seed of the run.
  bool by_partitions() const { return by_partitions_; }
  // Sets how partitions are saved.
  void use(const OverflowSpec &overflow) { overflow_ = overflow; }

  // Saves the groups of a worker, which keeps them; null: there are none. If they are more than the
  // files should hold, or are not all in its table, the worker starts over without them, so that
  // they are saved only once. Then *emptied becomes true.
  Result<std::shared_ptr<SavedPart>> save(GroupWorker *grouping, PartFiles *files,
                                          bool *emptied) const;
  // Adds the groups of all parts to the outputs.
  Status adopt(const SavedParts &parts, const GroupSettings &settings, GroupOutputs *outputs) const;

  // Folds `files` files, and adds an output for each worker that did so. `load_one` loads one file,
  // by its number.
  using LoadOne = std::function<Status(i64 number, GroupWorker *into)>;
  Status load_all(i64 files, const LoadOne &load_one, const GroupSettings &settings,
                  GroupOutputs *outputs) const;

 private:
  bool is_much(GroupWorker *grouping, i64 most_bytes) const;
  Result<std::shared_ptr<SavedPart>> save_states(GroupWorker *grouping, PartFiles *files,
                                                 bool *emptied) const;
  Result<std::shared_ptr<SavedPart>> save_partitions(GroupWorker *grouping, PartFiles *files,
                                                     bool *emptied) const;
  Status write(GroupOutputs output, StateWriter *writer) const;
  Status load(const RunFile &file, GroupWorker *into) const;
  Status adopt_partitions(const SavedParts &parts, GroupOutputs *outputs) const;

  Run &run_;
  const StateLayout &layout_;
  const StateLayout whole_;  // saves states with all of their values
  const bool by_partitions_;
  OverflowSpec overflow_;
};

}  // namespace mrc
