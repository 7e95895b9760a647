// Groups of worker processes: what they save, and what is folded of it in the end.
#pragma once

#include "engine/scan.h"
#include "engine/sinks/state_files.h"

#include <memory>
#include <vector>

namespace mrc {

// One thread.
class IsolatedGroups {
 public:
  // `layout`: see StateFiles.
  IsolatedGroups(Run *run, const StateLayout &layout) : run_(*run), files_(run, layout) {}

  // In a worker process.
  Result<SealedPart> save(GroupWorker *grouping) const;
  // In the process that made it. `settings`: those that the run groups with.
  Status take(i64 worker, SealedPart part, const StateLayout &layout,
              const GroupSettings &settings);
  // The worker is gone: what it has sealed stays.
  void end(i64 worker);
  // After the scan: adds all parts to the outputs, and forgets them.
  Status load(const GroupSettings &settings, std::vector<std::unique_ptr<MapOutput>> *outputs);

 private:
  static constexpr size_t kMostOpen = 256;  // files
  static constexpr i64 kStays = -1;

  struct Part {
    i64 worker;  // of which the next part takes the place of this one; kStays: none does
    RunFile file;
  };
  Status fold_those_that_stay(const StateLayout &layout, const GroupSettings &settings);

  Run &run_;
  const StateFiles files_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::unique_ptr<GroupWorker> folded_;  // of parts that were too many; null: there were not
};

}  // namespace mrc
