#include "engine/sinks/kept_groups.h"

#include <algorithm>
#include <utility>

namespace mrc {

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
