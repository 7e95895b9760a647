#include "engine/sinks/checkpoint_groups.h"

#include <algorithm>
#include <atomic>

namespace mrc {

CheckpointGroups::CheckpointGroups(Run *run, const StateLayout &layout)
    : run_(*run),
      inputs_(*run->plan.checkpoint),
      layout_(layout),
      whole_(layout.aggregation()),
      checkpoints_(&inputs_, run->program.keep, run->pool.size(), complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

Result<std::shared_ptr<StatePart>> CheckpointGroups::save(GroupWorker *grouping, bool *emptied) {
  // About what a record with a short key takes.
  const i64 record_bytes = kRecordHead + layout_.state_bytes() + 12;
  const bool is_much = !layout_.is_flat() || !grouping->can_show() ||
                       grouping->show()->usage().keys * record_bytes > checkpoints_.most_saved();
  *emptied = false;
  Result<std::shared_ptr<StatePart>> part = checkpoints_.create();
  if (!part.is_ok()) return part;
  *emptied = is_much;
  StateWriter writer(&(*part)->file, whole_);
  if (*emptied) {
    std::vector<std::unique_ptr<MapOutput>> outputs(1);
    Result<std::unique_ptr<MapOutput>> output = grouping->finish();
    if (!output.is_ok()) return output.status();
    const i64 keys = (*output)->groups.usage().keys;
    outputs[0] = std::move(*output);
    if (Status status = write(std::move(outputs), &writer); !status.is_ok()) return status;
    grouping->begin_anew(keys);
  } else {
    take_groups(grouping->show(), &writer);
  }
  if (writer.is_empty()) return std::shared_ptr<StatePart>();
  Status status = writer.finish();
  return status.is_ok() ? part : status;
}

// Of one worker, that is; the parts of others are folded with it in the end.
Status CheckpointGroups::write(std::vector<std::unique_ptr<MapOutput>> output,
                               StateWriter *writer) const {
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

Status CheckpointGroups::load(const RunFile &file, GroupWorker *into) const {
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

Status CheckpointGroups::load(const GroupSettings &settings,
                              std::vector<std::unique_ptr<MapOutput>> *outputs) {
  checkpoints_.finish();
  run_.report.checkpoints = checkpoints_.made();
  run_.report.sealed_bytes = checkpoints_.bytes();
  const std::vector<std::shared_ptr<StatePart>> emptied = checkpoints_.emptied();
  const i64 before = std::ssize(inputs_.parts());
  const i64 parts = before + std::ssize(emptied);
  if (parts == 0) return Status::ok();
  std::atomic<i64> next{0};
  const i64 workers = std::min(run_.pool.size(), parts);
  outputs->resize(outputs->size() + static_cast<size_t>(workers));
  return run_.pool.run(workers, [&](i64 worker) {
    auto grouping = std::make_unique<GroupWorker>(layout_, settings);
    for (i64 i; (i = next.fetch_add(1)) < parts;) {
      Status loaded = Status::ok();
      if (i >= before) {
        loaded = load(emptied[static_cast<size_t>(i - before)]->file, grouping.get());
      } else {
        const i64 number = inputs_.parts()[static_cast<size_t>(i)];
        Result<RunFile> file = inputs_.directory().open_run(number);
        loaded = file.is_ok() ? load(*file, grouping.get()) : file.status();
      }
      if (!loaded.is_ok()) return loaded;
    }
    Result<std::unique_ptr<MapOutput>> output = grouping->finish();
    if (!output.is_ok()) return output.status();
    (*outputs)[outputs->size() - static_cast<size_t>(workers - worker)] = std::move(*output);
    return Status::ok();
  });
}

}  // namespace mrc
