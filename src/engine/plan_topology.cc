// Groups of CPUs matter for large input. With several memory nodes or several caches, splits are
// dealt to groups, and each worker claims from the share of its group. The tables and buffers of a
// worker are near it anyway: it allocates them itself, and the kernel takes pages from the node of
// the thread that touches them first.
//
// With several nodes, the page cache holds a file on the nodes of the threads that wrote it or read
// it first. Its splits are dealt to groups on these nodes, whether workers map the pages or copy
// them: a copy of 2 MiB crosses the link between nodes as well.
#include "engine/inner/plan_steps.h"
#include "input/input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace mrc {
namespace {

// For less input, the look-up takes longer than it can save: 64 MiB are read in some 20 ms.
constexpr i64 kWorthLooking = i64{64} << 20;
// Smallest file to ask about: opening and mapping it takes some 8 us, as long as reading 64 KiB.
// Each split then takes some 3 us, and mapping its records a millisecond or more.
constexpr i64 kWorthAsking = i64{1} << 20;
// Splits per task of one worker: enough that opening and mapping their file costs little.
constexpr i64 kSplitsAsked = 64;

std::string describe_topology(const Topology &topology) {
  const CpuGroup &first = topology.groups()[0];
  std::vector<i64> sizes;
  for (const CpuGroup &group : topology.groups()) sizes.push_back(std::ssize(group.cpus));
  const bool equal = std::ranges::count(sizes, sizes[0]) == std::ssize(sizes);
  if (equal) sizes.resize(1);
  std::string text =
      fmt::format("{} group{} of {} CPU{}", topology.size(), topology.size() == 1 ? "" : "s",
                  fmt::join(sizes, ", "), sizes.size() == 1 && sizes[0] == 1 ? "" : "s");
  if (topology.nodes() > 1) text += fmt::format(" on {} nodes", topology.nodes());
  if (first.cache_bytes > 0) text += fmt::format(", cache {} MiB", first.cache_bytes >> 20);
  if (first.core_bytes > 0) text += fmt::format(", L2 {} KiB", first.core_bytes >> 10);
  return text;
}

// Gives every worker its own stripe and nothing else, for comparison.
void deal_to_workers(Plan *plan) {
  const std::vector<i64> weights(static_cast<size_t>(plan->workers), 1);
  plan->shares.ends = gather(deal_stripes(plan->splits, weights), plan->workers, &plan->splits);
  plan->shares.others.resize(weights.size());
  plan->decisions.push_back({"shares", "a stripe for each worker", "as asked"});
}

bool is_worth_asking(const Source &source) {
  return !source.stream && source.end - source.begin >= kWorthAsking;
}

// Groups adjacent splits of one file, at most kSplitsAsked together. REQUIRES: splits of a file are
// adjacent
std::vector<std::span<Split>> stretches_of_files(const Plan &plan, std::vector<Split> *splits) {
  std::vector<std::span<Split>> stretches;
  for (auto at = splits->begin(); at != splits->end();) {
    const auto most = at + std::min(kSplitsAsked, splits->end() - at);
    const auto end =
        std::find_if(at, most, [&](const Split &split) { return split.source != at->source; });
    if (is_worth_asking(plan.sources[static_cast<size_t>(at->source)])) {
      stretches.emplace_back(at, end);
    }
    at = end;
  }
  return stretches;
}

void ask(const Source &source, std::span<Split> splits) {
  std::vector<i64> offsets;
  for (const Split &split : splits) offsets.push_back(split.begin);
  const std::vector<i64> nodes = page_nodes(source, offsets);
  for (size_t i = 0; i < splits.size(); ++i) splits[i].node = nodes[i];
}

}  // namespace

void plan_topology(const Program &program, const Topology *given, Plan *plan) {
  const bool off = program.numa == false, asked = program.pin || program.numa == true;
  const bool large = plan->input_bytes > kWorthLooking && plan->topology.cpus() > 1;
  std::string reason = "too little input, or too few CPUs, to look for groups";
  if (off) reason = "as asked";
  if (!off && given != nullptr) {
    plan->topology = *given;
    reason = "as given";
  } else if (!off && (asked || large)) {
    plan->topology = Topology::load();
    reason = "CPUs that share a last-level cache, as hwloc sees them";
  }
  plan->decisions.push_back({"topology", describe_topology(plan->topology), reason});
}

std::vector<i64> stripe_weights(const Program &program, const Plan &plan, i64 workers) {
  return count_by_group(place_workers(plan.topology, workers, program.pin), plan.topology.size());
}

void plan_places(const Program &program, Plan *plan) {
  plan->places = place_workers(plan->topology, plan->workers, program.pin);
  // A checkpoint covers a prefix of the input, so all groups work on the same part.
  if (plan->checkpoint) return;
  if (program.switches.static_schedule) return deal_to_workers(plan);
  const i64 groups = plan->topology.size();
  const std::vector<i64> weights = count_by_group(plan->places, groups);
  plan->shares.ends = gather(deal_stripes(plan->splits, weights), groups, &plan->splits);
  for (i64 group = 0; group < groups; ++group) {
    plan->shares.others.push_back(plan->topology.others(group));
  }
  for (const CpuGroup &group : plan->topology.groups()) plan->shares.nodes.push_back(group.node);
  plan->nodes_matter =
      plan->topology.nodes() > 1 && std::ranges::any_of(plan->sources, is_worth_asking);
  if (groups == 1 && !program.pin) return;
  plan->decisions.push_back({"places", fmt::format("{} workers by group", fmt::join(weights, ", ")),
                             program.pin ? "bound to CPUs, filling one group after the other"
                                         : "in proportion to CPUs; the kernel may move them"});
  if (groups == 1) return;
  const bool by_pages = plan->nodes_matter && program.switches.by_pages;
  plan->decisions.push_back({"shares", by_pages ? "by the node of pages" : "stripes",
                             "each group begins with its own and then helps the nearest"});
}

Status find_nodes(const Plan &plan, WorkerPool *pool, std::vector<Split> *splits) {
  const std::vector<std::span<Split>> tasks = stretches_of_files(plan, splits);
  return pool->run_each(std::ssize(tasks), [&](i64 i) {
    const std::span<Split> stretch = tasks[static_cast<size_t>(i)];
    ask(plan.sources[static_cast<size_t>(stretch[0].source)], stretch);
    return Status::ok();
  });
}

void deal_by_pages(const Plan &plan, std::vector<Split> *splits, Shares *shares) {
  std::map<i64, std::vector<i64>> near;
  for (const Split &split : *splits) {
    if (split.node >= 0 && !near.contains(split.node)) {
      near[split.node] = plan.topology.nearest_to(split.node);
    }
  }
  const i64 groups = plan.topology.size();
  const std::vector<i64> weights = count_by_group(plan.places, groups);
  shares->ends =
      gather(deal_by_node(*splits, near, weights, deal_stripes(*splits, weights)), groups, splits);
}

}  // namespace mrc
