// Makes the settings of workers from the plan, and the partitions that workers share.
#include "engine/sinks/grouping.h"

#include <algorithm>

namespace mrc {

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

GroupSettings GroupingSink::settings_of(i64 worker) {
  const Plan &plan = run_.plan;
  GroupSettings all = settings();
  conduct_->adjust(&all);
  // Groups of worker processes are saved in the order of their hashes. Tables that load them need
  // another seed, else all keys would go to the front of a table. Partitions are reduced as they
  // were saved, and need one seed.
  const bool is_loaded = run_.program.isolation.is_wanted && !saved_.by_partitions();
  if (is_loaded) all.seed = all.overflow.seed = Seed::random();
  if (plan.most_shared_bytes == 0 || !conduct_->shares_partitions()) return all;
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
  all.rules.drift = false;  // records that miss the table are shared
  return all;
}

}  // namespace mrc
