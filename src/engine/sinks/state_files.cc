#include "engine/sinks/state_files.h"

#include <algorithm>
#include <atomic>

namespace mrc {

bool StateFiles::is_much(GroupWorker *grouping, i64 most_bytes) const {
  // About what a record with a short key takes.
  const i64 record_bytes = kRecordHead + layout_.state_bytes() + 12;
  return !layout_.is_flat() || !grouping->can_show() ||
         grouping->show()->usage().keys * record_bytes > most_bytes;
}

Result<bool> StateFiles::save(const RunFile &file, i64 most_bytes, GroupWorker *grouping,
                              bool *emptied) const {
  *emptied = is_much(grouping, most_bytes);
  StateWriter writer(&file, whole_);
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
  if (writer.is_empty()) return false;
  Status status = writer.finish();
  return status.is_ok() ? Result<bool>(true) : status;
}

// Of one worker, that is; files of others are folded with it in the end.
Status StateFiles::write(std::vector<std::unique_ptr<MapOutput>> output,
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

Status StateFiles::load(const RunFile &file, GroupWorker *into) const {
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

Status StateFiles::load_all(i64 files, const LoadOne &load_one, const GroupSettings &settings,
                            std::vector<std::unique_ptr<MapOutput>> *outputs) const {
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
