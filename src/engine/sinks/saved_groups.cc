#include "engine/sinks/saved_groups.h"

#include "reduce/partition_writer.h"

#include <algorithm>
#include <atomic>

namespace mrc {
namespace {

// Fewer groups are faster to save and fold as they are than by partitions.
constexpr double kManyKeys = 1 << 15;

bool saves_partitions(const Run &run, const StateLayout &layout) {
  return run.program.isolation.is_wanted && layout.is_flat() && run.plan.container->shows_early &&
         run.plan.forecast.keys >= kManyKeys;
}

}  // namespace

SavedGroups::SavedGroups(Run *run, const StateLayout &layout)
    : run_(*run),
      layout_(layout),
      whole_(layout.aggregation()),
      by_partitions_(saves_partitions(*run, layout)) {}

bool SavedGroups::is_much(GroupWorker *grouping, i64 most_bytes) const {
  // Approximate size of a record with a short key.
  const i64 record_bytes = kRecordHead + layout_.state_bytes() + 12;
  return !layout_.is_flat() || !grouping->can_show() ||
         grouping->show()->usage().keys * record_bytes > most_bytes;
}

Result<std::shared_ptr<SavedPart>> SavedGroups::save(GroupWorker *grouping, PartFiles *files,
                                                     bool *emptied) const {
  return by_partitions_ ? save_partitions(grouping, files, emptied)
                        : save_states(grouping, files, emptied);
}

Result<std::shared_ptr<SavedPart>> SavedGroups::save_states(GroupWorker *grouping, PartFiles *files,
                                                            bool *emptied) const {
  Result<std::shared_ptr<SavedPart>> part = files->create();
  if (!part.is_ok()) return part;
  StateWriter writer(&(*part)->file, whole_);
  *emptied = is_much(grouping, files->most_bytes());
  if (*emptied) {
    GroupOutputs outputs(1);
    Result<std::unique_ptr<MapOutput>> output = grouping->finish();
    if (!output.is_ok()) return output.status();
    const i64 keys = (*output)->groups.usage().keys;
    outputs[0] = std::move(*output);
    if (Status status = write(std::move(outputs), &writer); !status.is_ok()) return status;
    grouping->begin_anew(keys);
  } else {
    take_groups(grouping->show(), &writer);
  }
  if (writer.is_empty()) return std::shared_ptr<SavedPart>();
  Status status = writer.finish();
  return status.is_ok() ? part : status;
}

// A worker with staged records spills everything and starts over, because these would go to disk in
// any case.
Result<std::shared_ptr<SavedPart>> SavedGroups::save_partitions(GroupWorker *grouping,
                                                                PartFiles *files,
                                                                bool *emptied) const {
  *emptied = !grouping->can_show();
  if (!*emptied) {
    Result<std::shared_ptr<SavedPart>> part = files->create();
    if (!part.is_ok()) return part;
    PartitionWriter writer(&(*part)->file, layout_, overflow_);
    if (Status status = writer.write(grouping->show()); !status.is_ok()) return status;
    return writer.is_empty() ? std::shared_ptr<SavedPart>() : part;
  }
  Result<std::unique_ptr<MapOutput>> output = grouping->finish();
  if (!output.is_ok()) return output.status();
  const i64 keys = (*output)->groups.usage().keys;
  if (Status status = spill_all(layout_, overflow_, &*output); !status.is_ok()) return status;
  Result<RunFile> run = (*output)->overflow->hand_over();
  if (!run.is_ok()) return run.status();
  grouping->begin_anew(keys);
  return std::make_shared<SavedPart>(-1, std::move(*run));
}

// Reduces and writes the output of one worker. Files of other workers are folded with it later.
Status SavedGroups::write(GroupOutputs output, StateWriter *writer) const {
  if (!has_staged_records(output)) {
    take_groups(&output[0]->groups, writer);
    return writer->status();
  }
  Arena states;
  PartitionReducer reducer(output, {}, layout_, &states, run_.worker_share() / 3);
  const auto make_room = [&] {
    states.clear();
    return writer->status();
  };
  const int bits = run_.plan.partition_bits;
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    Status status = reducer.reduce({partition, bits}, writer, make_room);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

Status SavedGroups::load(const RunFile &file, GroupWorker *into) const {
  Result<RunReader> reader = RunReader::open(&file);
  if (!reader.is_ok()) return reader.status();
  if (reader->header().shape != RecordShape{0, layout_.state_bytes()}) {
    return Status::error(file.name() + ": its states are not those of this job");
  }
  Pages buffer;
  i64 all = 0;
  for (const BlockInfo &block : reader->blocks()) all += block.records;
  for (const BlockInfo &block : reader->blocks()) {
    Result<Bytes> records = reader->read_block(block, &buffer);
    if (!records.is_ok()) return records.status();
    if (block == reader->blocks().front()) into->make_room(*records, all);
    into->load(*records, 0);
    if (Status status = into->relieve(); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status SavedGroups::adopt(const SavedParts &parts, const GroupSettings &settings,
                          GroupOutputs *outputs) const {
  if (by_partitions_) return adopt_partitions(parts, outputs);
  const auto load_one = [&](i64 i, GroupWorker *into) {
    return load(parts[static_cast<size_t>(i)]->file, into);
  };
  return load_all(std::ssize(parts), load_one, settings, outputs);
}

Status SavedGroups::adopt_partitions(const SavedParts &parts, GroupOutputs *outputs) const {
  for (const auto &part : parts) {
    auto overflow = OverflowBuffer::adopt(overflow_, std::move(part->file));
    if (!overflow.is_ok()) return overflow.status();
    outputs->push_back(std::make_unique<MapOutput>(ContainerSpec{}));
    outputs->back()->overflow = std::move(*overflow);
  }
  return Status::ok();
}

Status SavedGroups::load_all(i64 files, const LoadOne &load_one, const GroupSettings &settings,
                             GroupOutputs *outputs) const {
  if (files == 0) return Status::ok();
  std::atomic<i64> next{0};
  const i64 workers = std::min(run_.pool.size(), files);
  outputs->resize(outputs->size() + static_cast<size_t>(workers));
  return run_.pool.run(workers, [&](i64 worker) {
    auto grouping = std::make_unique<GroupWorker>(layout_, settings);
    for (i64 i; (i = next.fetch_add(1)) < files;) {
      if (Status status = load_one(i, grouping.get()); !status.is_ok()) return status;
    }
    Result<std::unique_ptr<MapOutput>> output = grouping->finish();
    if (!output.is_ok()) return output.status();
    (*outputs)[outputs->size() - static_cast<size_t>(workers - worker)] = std::move(*output);
    return Status::ok();
  });
}

}  // namespace mrc
