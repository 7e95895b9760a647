// How workers group, as the plan has it: each by itself, with others, or tile by tile.
#include "engine/sinks/grouping.h"

#include <algorithm>

namespace mrc {
namespace {

// Of the memory, for all launches of partial reduces that there may be at once.
i64 bytes_of_launches(const Plan &plan) { return plan.memory / 8; }

}  // namespace

GroupSettings GroupingSink::settings() const {
  const Program &program = run_.program;
  const Plan &plan = run_.plan;
  GroupSettings settings;
  settings.container = {plan.container,
                        layout_.state_bytes(),
                        {program.switches.prefetch, program.switches.fingerprint},
                        plan.expected_keys,
                        program.switches.buckets.value_or(0),
                        plan.forecast.shares,
                        plan.hot_bytes};
  settings.seed = seed_;
  settings.value_width = value_width();
  settings.borrowing = borrowing();
  settings.overflow.shape.raw_bytes =
      settings.borrowing == Borrowing::any ? 0 : 8 * settings.value_width;
  settings.overflow.shape.state_bytes = layout_.state_bytes();
  settings.overflow.partition_bits = plan.partition_bits;
  settings.overflow.seed = seed_;
  settings.overflow.tmpdir = plan.tmpdir;
  settings.rules = {program.switches.drift, program.switches.bypass, plan.few_hits};
  settings.hot_bytes = plan.hot_bytes;
  settings.memory_bytes = run_.worker_share();
  settings.eager = program.switches.eager;
  settings.reuse = program.switches.reuse;
  return settings;
}

TileSpec GroupingSink::tile_spec() const {
  const Plan &plan = run_.plan;
  const Switches &switches = run_.program.switches;
  TileSpec spec;
  const GroupSettings all = settings();
  spec.container = all.container;
  spec.partition_bits = plan.partition_bits;
  spec.most_bytes = plan.most_tiled_bytes / plan.topology.size();
  spec.expected_keys = plan.tiled_keys;
  spec.overflow = all.overflow;
  spec.overlaps = switches.pipeline;
  spec.compresses = switches.compress;
  spec.reuses = switches.reuse;
  spec.merges_runs = switches.eager;
  return spec;
}

EagerSpec GroupingSink::eager_spec() const {
  const Plan &plan = run_.plan;
  const Switches &switches = run_.program.switches;
  EagerSpec spec;
  spec.overflow = settings().overflow;
  spec.folds = switches.runs == EagerRuns::reduce;
  spec.start = switches.start;
  spec.stop = switches.stop;
  spec.input_bytes = plan.streams > 0 ? 0 : plan.input_bytes;
  spec.low_priority = switches.low_priority;
  const i64 fit = std::max<i64>(1, bytes_of_launches(plan) / EagerReducer::kLeastBytes);
  spec.most_at_once = switches.stagger ? 1 : std::min(plan.workers, fit);
  spec.memory_bytes = bytes_of_launches(plan) / spec.most_at_once;
  spec.enter = [this] { PluginRun::enter(&run_.plugins); };
  return spec;
}

GroupSettings GroupingSink::settings_of(i64 worker) {
  const Plan &plan = run_.plan;
  GroupSettings all = settings();
  if (runs_) {
    all.runs = runs_.get();
    all.memory_bytes -= std::min(all.memory_bytes / 2, bytes_of_launches(plan) / plan.workers);
  }
  if (kept_) all.memory_bytes /= 2;  // tiles of which parts are missing wait in memory, too
  if (!tiles_.empty()) {
    all.memory_bytes -= std::min(all.memory_bytes / 2, plan.most_tiled_bytes / plan.workers);
    all.memory_bytes /= 2;  // what it has made of tiles before waits in memory, too
  }
  // What is saved in the order of one seed's hashes is loaded into tables of another: else all keys
  // would go to the front of these, time and again. What is reduced from where it was saved needs
  // one seed.
  if (isolated_ && !isolated_->by_partitions()) all.seed = all.overflow.seed = Seed::random();
  if (plan.most_shared_bytes == 0 || kept_ || checkpoints_) return all;
  const auto group = static_cast<size_t>(plan.places[static_cast<size_t>(worker)].group);
  const std::lock_guard lock(run_.mutex);
  while (shared_.size() <= group) {
    shared_.push_back(std::make_unique<SharedPartitions>(
        layout_, plan.partition_bits, static_cast<i64>(plan.forecast.keys), plan.forecast.shares));
  }
  all.shared = shared_[group].get();
  all.most_shared_bytes = plan.most_shared_bytes / plan.topology.size();
  all.first_partition = worker * all.shared->count() / run_.pool.size();
  all.memory_bytes -= std::min(all.memory_bytes / 2, plan.most_shared_bytes / plan.workers);
  all.rules.drift = false;  // what has become rare is shared
  return all;
}

}  // namespace mrc
