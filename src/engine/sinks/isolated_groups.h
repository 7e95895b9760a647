// Groups of worker processes: what they save, and what is folded of it in the end.
#pragma once

#include "engine/scan.h"
#include "engine/sinks/state_files.h"

#include <memory>
#include <vector>

namespace mrc {

// Few groups, and those with states that own memory, are folded from what was saved. Many are saved
// by partitions of their hashes, so that they are reduced from there as spilled records are.
//
// One thread.
class IsolatedGroups {
 public:
  // `layout`: see StateFiles.
  IsolatedGroups(Run *run, const StateLayout &layout);

  // Whether all workers have to group with the seed of the run.
  bool by_partitions() const { return by_partitions_; }

  // In a worker process.
  Result<SealedPart> save(const OverflowSpec &spec, GroupWorker *grouping) const;
  // In the process that made it. `settings`: those that the run groups with.
  Status take(i64 worker, SealedPart part, const GroupSettings &settings);
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
  Result<SealedPart> save_groups(GroupWorker *grouping) const;
  Result<SealedPart> save_partitions(const OverflowSpec &spec, GroupWorker *grouping) const;
  Status fold_those_that_stay(const GroupSettings &settings);
  Status join_those_that_stay(const OverflowSpec &spec);
  Status adopt_all(const OverflowSpec &spec, std::vector<std::unique_ptr<MapOutput>> *outputs);

  Run &run_;
  const StateLayout &layout_;
  const bool by_partitions_;
  const StateFiles files_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::unique_ptr<GroupWorker> folded_;  // of parts that were too many; null: there were not
};

}  // namespace mrc
