#include "engine/engine.h"
#include "engine/plan_keys.h"
#include "engine/plan_topology.h"
#include "split/split.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kLargestSplit = i64{2} << 20;
constexpr i64 kSmallestSplit = i64{256} << 10;
constexpr i64 kSplitsPerWorker = 8;

void examine_inputs(const Job &job, Plan *plan) {
  bool stdin_named = false;
  for (const std::string &path : job.inputs) {
    // Standard input can be read once.
    if (path == "-" && std::exchange(stdin_named, true)) continue;
    Result<Source> source = examine(path);
    if (!source.is_ok()) {
      plan->unreadable.push_back(source.status().message());
      continue;
    }
    plan->streams += source->stream;
    plan->input_bytes += source->end - source->begin;
    plan->sources.push_back(std::move(*source));
  }
}

// Large enough that claiming one costs nothing, small enough that all workers have
// several (Phoenix IV-C2; the in-depth study, 5.5).
void plan_split(const Job &job, i64 cpus, Plan *plan) {
  i64 bytes =
      std::clamp(plan->input_bytes / (kSplitsPerWorker * cpus), kSmallestSplit, kLargestSplit);
  if (job.split_bytes) bytes = *job.split_bytes;
  plan->splits = plan_splits(plan->sources, bytes, stripe_weights(job, *plan, cpus));
  plan->decisions.push_back(
      {"splits", fmt::format("{} of {} bytes", plan->splits.size(), bytes),
       job.split_bytes ? "as asked" : "several for each worker, smaller in the last 5 %"});
}

void plan_workers(const Job &job, i64 cpus, Plan *plan) {
  const i64 splits = std::ssize(plan->splits);
  const bool few = plan->streams == 0 && splits < cpus;
  plan->workers = few ? std::max<i64>(1, splits) : cpus;
  plan->decisions.push_back({"workers", fmt::format("{}", plan->workers),
                             few           ? "a split is work for one"
                             : job.threads ? "as asked"
                                           : "the CPUs allowed by affinity and cgroup quota"});
}

}  // namespace

CutBytes cuts_of(const Job &job) {
  const bool fixed = job.sort && job.sort->record_bytes > 0;
  return fixed ? CutBytes::every(job.sort->record_bytes) : CutBytes(job.map.cut_bytes());
}

Plan make_plan(const Job &job, const Topology *topology) {
  Plan plan;
  examine_inputs(job, &plan);
  plan.decisions.push_back(
      {"input",
       fmt::format("{} bytes in files: {}, streams: {}", plan.input_bytes,
                   static_cast<i64>(plan.sources.size()) - plan.streams, plan.streams),
       plan.unreadable.empty() ? "as they are now; what is appended later is not read"
                               : fmt::format("{} left out", plan.unreadable.size())});

  const i64 cpus = job.threads ? *job.threads : available_cpus();
  plan_topology(job, topology, &plan);
  plan_split(job, cpus, &plan);
  plan_workers(job, cpus, &plan);

  plan.io = job.io.value_or(IoMode::read);
  plan.decisions.push_back(
      {"io", plan.io == IoMode::read ? "read" : "mmap",
       job.io ? "as asked" : "a buffer that stays in the L2 cache costs less than page tables"});
  plan_places(job, &plan);

  plan.scanner = &best_scanner();
  plan.decisions.push_back({"scan", plan.scanner->name, "the widest vectors of this CPU"});
  plan_keys(job, &plan);
  if (job.transform) {
    plan.decisions.push_back({"order", "of the input", "text that is made ahead is held back"});
    return plan;
  }
  plan.decisions.push_back(
      {"order", job.order.column < 0 ? "by key" : "by value, then key",
       job.order.limit >= 0 ? fmt::format("the first {} are selected, then sorted", job.order.limit)
                            : "parallel sorting by regular sampling"});
  return plan;
}

}  // namespace mrc
