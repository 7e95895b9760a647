#include "engine/sinks/partial_groups.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kManyKeys = INT64_MAX;  // even if few: all partials have the same partitions

}  // namespace

PartialGroups::PartialGroups(Run *run, const StateLayout &layout)
    : run_(*run),
      whole_(layout.aggregation()),
      piece_(run),
      groups_(static_cast<size_t>(run->pool.size())) {}

SealedGroups *PartialGroups::begin_sealing(i64 worker) {
  auto &groups = groups_[static_cast<size_t>(worker)];
  groups = std::make_unique<SealedGroups>(whole_, kManyKeys, 0, run_.plan.tmpdir,
                                          run_.worker_share() / 3);
  return groups.get();
}

// Sorts one partition on each worker, then writes these partitions in order, and so on.
Status PartialGroups::write_states(RunWriter *writer, PartitionSet *made) {
  std::erase(groups_, nullptr);
  if (groups_.empty()) return Status::ok();
  using Blocks = std::vector<SealedBlock>;
  WorkerPool &pool = run_.pool;
  for (i64 first = 0; first < kPartialPartitions; first += pool.size()) {
    const i64 count = std::min(pool.size(), kPartialPartitions - first);
    std::vector<Blocks> sorted(static_cast<size_t>(count));
    Status status = pool.run_each(count, [&](i64 i) {
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

}  // namespace mrc
