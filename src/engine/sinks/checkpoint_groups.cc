#include "engine/sinks/checkpoint_groups.h"

namespace mrc {

CheckpointGroups::CheckpointGroups(Run *run, const StateLayout &layout)
    : run_(*run),
      inputs_(*run->plan.checkpoint),
      files_(run, layout),
      checkpoints_(&inputs_, run->program.keep, run->pool.size(), complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

Result<std::shared_ptr<StatePart>> CheckpointGroups::save(GroupWorker *grouping, bool *emptied) {
  *emptied = false;
  Result<std::shared_ptr<StatePart>> part = checkpoints_.create();
  if (!part.is_ok()) return part;
  const Result<bool> is_saved =
      files_.save((*part)->file, checkpoints_.most_saved(), grouping, emptied);
  if (!is_saved.is_ok()) return is_saved.status();
  return *is_saved ? part : std::shared_ptr<StatePart>();
}

Status CheckpointGroups::load(const GroupSettings &settings,
                              std::vector<std::unique_ptr<MapOutput>> *outputs) {
  checkpoints_.finish();
  run_.report.checkpoints = checkpoints_.made();
  run_.report.sealed_bytes = checkpoints_.bytes();
  const std::vector<std::shared_ptr<StatePart>> emptied = checkpoints_.emptied();
  const i64 before = std::ssize(inputs_.parts());
  const auto load_one = [&](i64 i, GroupWorker *into) {
    if (i >= before) return files_.load(emptied[static_cast<size_t>(i - before)]->file, into);
    const i64 number = inputs_.parts()[static_cast<size_t>(i)];
    Result<RunFile> file = inputs_.directory().open_run(number);
    return file.is_ok() ? files_.load(*file, into) : file.status();
  };
  return files_.load_all(before + std::ssize(emptied), load_one, settings, outputs);
}

}  // namespace mrc
