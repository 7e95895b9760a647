#include "engine/sinks/isolated_groups.h"

#include "reduce/partition_writer.h"

#include <utility>

namespace mrc {
namespace {

// Fewer groups are written and folded faster than partitions are.
constexpr double kManyKeys = 1 << 15;

}  // namespace

IsolatedGroups::IsolatedGroups(Run *run, const StateLayout &layout)
    : run_(*run),
      layout_(layout),
      by_partitions_(layout.is_flat() && run->plan.container->shows_early &&
                     run->plan.forecast.keys >= kManyKeys),
      files_(run, layout) {}

Result<SealedPart> IsolatedGroups::save(const OverflowSpec &spec, GroupWorker *grouping) const {
  return by_partitions_ ? save_partitions(spec, grouping) : save_groups(grouping);
}

// Tables that may grow large are saved as a whole, time and again: a worker seals the more seldom
// the longer that takes.
Result<SealedPart> IsolatedGroups::save_groups(GroupWorker *grouping) const {
  Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
  if (!file.is_ok()) return file.status();
  SealedPart part;
  const i64 most_bytes = run_.worker_share() / 2;
  const Result<bool> is_saved = files_.save(*file, most_bytes, grouping, &part.emptied);
  if (!is_saved.is_ok()) return is_saved.status();
  if (*is_saved) part.states.emplace(std::move(*file));
  return part;
}

// What does not fit in tables is on its way to the disk in any case, and goes for good.
Result<SealedPart> IsolatedGroups::save_partitions(const OverflowSpec &spec,
                                                   GroupWorker *grouping) const {
  SealedPart part;
  part.emptied = !grouping->can_show();
  if (!part.emptied) {
    Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
    if (!file.is_ok()) return file.status();
    PartitionWriter writer(&*file, layout_, spec);
    if (Status status = writer.write(grouping->show()); !status.is_ok()) return status;
    if (!writer.is_empty()) part.states.emplace(std::move(*file));
    return part;
  }
  Result<std::unique_ptr<MapOutput>> output = grouping->finish();
  if (!output.is_ok()) return output.status();
  const i64 keys = (*output)->groups.usage().keys;
  if (Status status = spill_all(layout_, spec, &*output); !status.is_ok()) return status;
  Result<RunFile> run = (*output)->overflow->hand_over();
  if (!run.is_ok()) return run.status();
  part.states.emplace(std::move(*run));
  grouping->begin_anew(keys);
  return part;
}

Status IsolatedGroups::take(i64 worker, SealedPart part, const GroupSettings &settings) {
  std::erase_if(parts_, [=](const auto &its) { return its->worker == worker; });
  if (!part.states) return Status::ok();
  ++run_.report.sealed_parts;
  if (const Result<i64> size = part.states->size(); size.is_ok()) run_.report.sealed_bytes += *size;
  parts_.push_back(std::make_unique<Part>(part.emptied ? kStays : worker, std::move(*part.states)));
  if (parts_.size() <= kMostOpen) return Status::ok();
  return by_partitions_ ? join_those_that_stay(settings.overflow) : fold_those_that_stay(settings);
}

void IsolatedGroups::end(i64 worker) {
  for (const auto &part : parts_) {
    if (part->worker == worker) part->worker = kStays;
  }
}

Status IsolatedGroups::fold_those_that_stay(const GroupSettings &settings) {
  if (!folded_) folded_ = std::make_unique<GroupWorker>(layout_, settings);
  for (const auto &part : parts_) {
    if (part->worker != kStays) continue;
    if (Status status = files_.load(part->file, folded_.get()); !status.is_ok()) return status;
  }
  std::erase_if(parts_, [](const auto &part) { return part->worker == kStays; });
  return Status::ok();
}

// Their blocks become those of one file.
Status IsolatedGroups::join_those_that_stay(const OverflowSpec &spec) {
  Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
  if (!file.is_ok()) return file.status();
  RunWriter writer(&*file, header_of(spec));
  Pages buffer;
  for (const auto &part : parts_) {
    if (part->worker != kStays) continue;
    Result<RunReader> reader = RunReader::open(&part->file);
    if (!reader.is_ok()) return reader.status();
    for (const BlockInfo &block : reader->blocks()) {
      const Result<Bytes> records = reader->read_block(block, &buffer);
      if (!records.is_ok()) return records.status();
      if (Status status = writer.add_block(block, *records); !status.is_ok()) return status;
    }
  }
  if (Status status = writer.finish(); !status.is_ok()) return status;
  std::erase_if(parts_, [](const auto &part) { return part->worker == kStays; });
  parts_.push_back(std::make_unique<Part>(kStays, std::move(*file)));
  return Status::ok();
}

Status IsolatedGroups::adopt_all(const OverflowSpec &spec,
                                 std::vector<std::unique_ptr<MapOutput>> *outputs) {
  for (const auto &part : parts_) {
    auto overflow = OverflowBuffer::adopt(spec, std::move(part->file));
    if (!overflow.is_ok()) return overflow.status();
    outputs->push_back(std::make_unique<MapOutput>(ContainerSpec{}));
    outputs->back()->overflow = std::move(*overflow);
  }
  parts_.clear();
  return Status::ok();
}

Status IsolatedGroups::load(const GroupSettings &settings,
                            std::vector<std::unique_ptr<MapOutput>> *outputs) {
  if (by_partitions_) return adopt_all(settings.overflow, outputs);
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
