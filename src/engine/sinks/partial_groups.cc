#include "engine/sinks/partial_groups.h"

#include "engine/sinks/state_files.h"
#include "kept/merge_partials.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kManyKeys = INT64_MAX;  // partitions are the same however many keys there are

}  // namespace

PartialGroups::PartialGroups(Run *run, Aggregation aggregation)
    : run_(*run),
      whole_(std::move(aggregation)),
      piece_(run),
      groups_(static_cast<size_t>(run->pool.size())) {}

SealedGroups *PartialGroups::begin(i64 worker) {
  auto &groups = groups_[static_cast<size_t>(worker)];
  groups = std::make_unique<SealedGroups>(whole_, kManyKeys, 0, run_.plan.tmpdir,
                                          run_.worker_share() / 3);
  return groups.get();
}

// Workers sort as many partitions as they are; these are written in their order.
Status PartialGroups::write_states(RunWriter *writer, PartitionSet *made) {
  std::erase(groups_, nullptr);
  if (groups_.empty()) return Status::ok();
  using Blocks = std::vector<SealedBlock>;
  for (i64 first = 0; first < kPartialPartitions; first += run_.pool.size()) {
    const i64 count = std::min(run_.pool.size(), kPartialPartitions - first);
    std::vector<Blocks> sorted(static_cast<size_t>(count));
    Status status = run_.pool.run_each(count, [&](i64 i) {
      Result<Blocks> blocks = SealedGroups::blocks_of(groups_, first + i);
      if (blocks.is_ok()) sorted[static_cast<size_t>(i)] = std::move(*blocks);
      return blocks.status();
    });
    for (const Blocks &blocks : sorted) {
      for (const SealedBlock &block : blocks) {
        if (status.is_ok()) status = writer->add_block(block.info, block.records);
        made->set(static_cast<size_t>(block.info.partition));
      }
    }
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

Status PartialGroups::write(OutputFile *to) {
  const auto add_states = [this](RunWriter *writer, PartitionSet *made) {
    return write_states(writer, made);
  };
  return piece_.write(whole_.state_bytes(), {}, add_states, to);
}

Result<std::vector<std::unique_ptr<MapOutput>>> load_partials(Run *run, const StateLayout &layout,
                                                              const GroupSettings &settings) {
  const MergedPartials &merged = *run->program.partial.merged;
  using Stretch = MergedPartials::Stretch;
  std::vector<std::pair<const Stretch *, const BlockInfo *>> blocks;
  for (const Stretch &stretch : merged.stretches) {
    for (const BlockInfo &block : stretch.blocks) {
      blocks.emplace_back(&stretch, &block);
      run->report.merged_states += block.records;
    }
  }
  const auto load_one = [&](i64 i, GroupWorker *into) {
    const auto &[stretch, block] = blocks[static_cast<size_t>(i)];
    Pages buffer;
    const Result<Bytes> records =
        read_block(*stretch->file, {0, layout.state_bytes()}, *block, &buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, stretch->shift.value_or(0));
    return into->relieve();
  };
  std::vector<std::unique_ptr<MapOutput>> outputs;
  Status status =
      StateFiles(run, layout).load_all(std::ssize(blocks), load_one, settings, &outputs);
  if (!status.is_ok()) return status;
  return outputs;
}

}  // namespace mrc
