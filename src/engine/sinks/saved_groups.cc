#include "engine/sinks/saved_groups.h"

#include "reduce/state_writer.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace mrc {
namespace {

// Fewer groups are faster to save and fold as they are than by partitions.
constexpr double kKeysWorthPartitions = 1 << 15;

bool saves_partitions(const Run &run, const StateLayout &layout) {
  return run.program.isolation.is_wanted && layout.is_flat() && run.plan.container->shows_early &&
         run.plan.forecast.keys >= kKeysWorthPartitions;
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

Status KeptGroups::seal(GroupOutputs outputs, u64 origin, SealedRun *run, SealedBlocks *written) {
  i64 keys = 0;
  for (const auto &output : outputs) {
    keys += output->groups.usage().keys;
    if (!output->has_staged_records()) continue;
    keys += output->overflow->records() + output->overflow->spilled_records();
  }
  SealedGroups groups(whole_, keys, -origin, tmpdir_, memory_bytes_);
  Status status = reduce(outputs, keys, &groups);
  if (status.is_ok()) status = groups.write(run, written);
  if (status.is_ok()) keep_empty(std::move(outputs));
  return status;
}

// Merges the outputs into `groups`. `keys`: an upper bound. The groups of a single worker are taken
// as they are, without a merge.
Status KeptGroups::reduce(const GroupOutputs &outputs, i64 keys, SealedGroups *groups) const {
  const bool is_staged = has_staged_records(outputs);
  if (outputs.size() == 1 && !is_staged && !layout_.spills()) {
    take_groups(&outputs[0]->groups, groups);
    return groups->status();
  }
  Arena states;
  PartitionReducer reducer(outputs, {}, layout_, &states, memory_bytes_);
  const auto make_room = [&] {
    states.clear();
    return groups->status();
  };
  const int bits = std::max(choose_partition_bits(keys, 1), is_staged ? partition_bits_ : 0);
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    Status status = reducer.reduce({partition, bits}, groups, make_room);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

// Keeps tables for later tiles: with many small tiles, allocating tables costs more than filling
// them. Large or nearly empty tables are freed, because clearing them costs more.
void KeptGroups::keep_empty(GroupOutputs outputs) {
  constexpr i64 kMostBytes = i64{4} << 20, kMostSlotsOfKey = 64, kFewSlots = i64{16} << 10;
  for (auto &output : outputs) {
    const ContainerUsage usage = output->groups.usage();
    const bool is_sparse = usage.slots > kFewSlots && usage.slots > usage.keys * kMostSlotsOfKey;
    if (output->overflow || usage.bytes > kMostBytes || is_sparse) continue;
    output->groups.clear();
    output->arena.clear();
    const std::lock_guard lock(mutex_);
    empty_.push_back(std::move(output));
  }
}

std::unique_ptr<MapOutput> KeptGroups::take_empty() {
  const std::lock_guard lock(mutex_);
  if (empty_.empty()) return nullptr;
  std::unique_ptr<MapOutput> output = std::move(empty_.back());
  empty_.pop_back();
  return output;
}

Status KeptGroups::merge(std::span<const KeptStretch> tiles, const GroupSettings &settings,
                         u64 origin, SealedRun *run, SealedBlocks *written) {
  GroupOutputs outputs(1);
  {
    auto grouping = std::make_unique<GroupWorker>(layout_, settings);
    Pages buffer;
    for (const KeptStretch &tile : tiles) {
      Status status = fold(tile, tile.blocks, &buffer, grouping.get());
      if (!status.is_ok()) return status;
    }
    Result<std::unique_ptr<MapOutput>> output = grouping->finish();
    if (!output.is_ok()) return output.status();
    outputs[0] = std::move(*output);
  }
  return seal(std::move(outputs), origin, run, written);
}

Status KeptGroups::load(std::span<const KeptStretch> tiles, const SavedGroups &saved,
                        const GroupSettings &settings, GroupOutputs *outputs) const {
  std::vector<std::pair<const KeptStretch *, size_t>> blocks;
  for (const KeptStretch &tile : tiles) {
    for (size_t i = 0; i < tile.blocks.size(); ++i) blocks.emplace_back(&tile, i);
  }
  const auto load_one = [&](i64 i, GroupWorker *into) {
    const auto &[tile, block] = blocks[static_cast<size_t>(i)];
    Pages buffer;
    return fold(*tile, std::span(tile->blocks).subspan(block, 1), &buffer, into);
  };
  return saved.load_all(std::ssize(blocks), load_one, settings, outputs);
}

// Folds blocks of a tile.
Status KeptGroups::fold(const KeptStretch &tile, std::span<const StoredBlock> blocks, Pages *buffer,
                        GroupWorker *into) const {
  for (const StoredBlock &block : blocks) {
    Result<Bytes> records = read_block(*block.file, shape(), block.info, buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, tile.origin);
    if (Status status = into->relieve(); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace mrc
