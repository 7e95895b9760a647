#include "engine/sinks/isolated_groups.h"

#include <utility>

namespace mrc {

// Tables that may grow large are saved as a whole, time and again: a worker seals the more seldom
// the longer that takes.
Result<SealedPart> IsolatedGroups::save(GroupWorker *grouping) const {
  Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
  if (!file.is_ok()) return file.status();
  bool emptied = false;
  const i64 most_bytes = run_.worker_share() / 2;
  const Result<bool> is_saved = files_.save(*file, most_bytes, grouping, &emptied);
  if (!is_saved.is_ok()) return is_saved.status();
  SealedPart part;
  part.is_all = !emptied;
  if (*is_saved) part.states.emplace(std::move(*file));
  return part;
}

Status IsolatedGroups::take(i64 worker, SealedPart part, const StateLayout &layout,
                            const GroupSettings &settings) {
  if (part.is_all) std::erase_if(parts_, [=](const auto &its) { return its->worker == worker; });
  if (!part.states) return Status::ok();
  ++run_.report.sealed_parts;
  if (const Result<i64> size = part.states->size(); size.is_ok()) run_.report.sealed_bytes += *size;
  parts_.push_back(std::make_unique<Part>(part.is_all ? worker : kStays, std::move(*part.states)));
  return parts_.size() <= kMostOpen ? Status::ok() : fold_those_that_stay(layout, settings);
}

void IsolatedGroups::end(i64 worker) {
  for (const auto &part : parts_) {
    if (part->worker == worker) part->worker = kStays;
  }
}

Status IsolatedGroups::fold_those_that_stay(const StateLayout &layout,
                                            const GroupSettings &settings) {
  if (!folded_) folded_ = std::make_unique<GroupWorker>(layout, settings);
  for (const auto &part : parts_) {
    if (part->worker != kStays) continue;
    if (Status status = files_.load(part->file, folded_.get()); !status.is_ok()) return status;
  }
  std::erase_if(parts_, [](const auto &part) { return part->worker == kStays; });
  return Status::ok();
}

Status IsolatedGroups::load(const GroupSettings &settings,
                            std::vector<std::unique_ptr<MapOutput>> *outputs) {
  const auto load_one = [this](i64 i, GroupWorker *into) {
    return files_.load(parts_[static_cast<size_t>(i)]->file, into);
  };
  Status status = files_.load_all(std::ssize(parts_), load_one, settings, outputs);
  parts_.clear();
  if (!status.is_ok() || !folded_) return status;
  Result<std::unique_ptr<MapOutput>> output = folded_->finish();
  if (!output.is_ok()) return output.status();
  outputs->push_back(std::move(*output));
  folded_.reset();
  return Status::ok();
}

}  // namespace mrc
