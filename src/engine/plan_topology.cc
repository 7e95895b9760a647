// Groups of CPUs matter where there is much input: with several nodes of memory, or
// several caches, splits are dealt to groups, and each worker claims from the share of
// the group it is in. What a worker writes to is near it anyway: it makes its own
// tables and buffers, and the kernel takes pages from the node of their first touch.
#include "engine/plan_topology.h"

#include "input/input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mrc {
namespace {

// Below, looking takes longer than it can save: 64 MiB are read in some 20 ms.
constexpr i64 kWorthLooking = i64{64} << 20;
// Below, asking where pages are does; it is only open to mapped files, since what
// pread(2) copies is near in any case by the time it is read.
constexpr i64 kWorthAsking = i64{1} << 30;

std::string describe(const Topology &topology) {
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

// Every worker gets its stripe and nothing else, for comparison.
void deal_to_workers(Plan *plan) {
  const std::vector<i64> weights(static_cast<size_t>(plan->workers), 1);
  plan->shares.ends = gather(deal_stripes(plan->splits, weights), plan->workers, &plan->splits);
  plan->shares.others.resize(weights.size());
  plan->decisions.push_back({"shares", "a stripe for each worker", "as asked"});
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
  plan->decisions.push_back({"topology", describe(plan->topology), reason});
}

std::vector<i64> stripe_weights(const Program &program, const Plan &plan, i64 workers) {
  return count_by_group(place_workers(plan.topology, workers, program.pin), plan.topology.size());
}

void plan_places(const Program &program, Plan *plan) {
  plan->places = place_workers(plan->topology, plan->workers, program.pin);
  if (program.switches.static_schedule) return deal_to_workers(plan);
  const i64 groups = plan->topology.size();
  const std::vector<i64> weights = count_by_group(plan->places, groups);
  plan->shares.ends = gather(deal_stripes(plan->splits, weights), groups, &plan->splits);
  for (i64 group = 0; group < groups; ++group) {
    plan->shares.others.push_back(plan->topology.others(group));
  }
  plan->by_pages =
      plan->io == IoMode::mmap && plan->topology.nodes() > 1 && plan->input_bytes > kWorthAsking;
  if (groups == 1 && !program.pin) return;
  plan->decisions.push_back({"places", fmt::format("{} workers by group", fmt::join(weights, ", ")),
                             program.pin ? "bound to CPUs, filling one group after the other"
                                         : "in proportion to CPUs; the kernel may move them"});
  if (groups == 1) return;
  plan->decisions.push_back({"shares", plan->by_pages ? "by the node of pages" : "stripes",
                             "each group begins with its own and then helps the nearest"});
}

void deal_by_pages(const Plan &plan, std::vector<Split> *splits, Shares *shares) {
  std::map<i64, std::vector<i64>> offsets, at;  // by source
  for (i64 i = 0; i < std::ssize(*splits); ++i) {
    const Split &split = (*splits)[static_cast<size_t>(i)];
    offsets[split.source].push_back(split.begin);
    at[split.source].push_back(i);
  }
  std::vector<i64> nodes(splits->size(), -1);
  std::map<i64, std::vector<i64>> near;
  for (const auto &[source, its_offsets] : offsets) {
    const std::vector<i64> its_nodes =
        page_nodes(plan.sources[static_cast<size_t>(source)], its_offsets);
    for (size_t i = 0; i < its_nodes.size(); ++i) {
      nodes[static_cast<size_t>(at[source][i])] = its_nodes[i];
      if (its_nodes[i] >= 0) near[its_nodes[i]] = plan.topology.nearest_to(its_nodes[i]);
    }
  }
  const i64 groups = plan.topology.size();
  const std::vector<i64> weights = count_by_group(plan.places, groups);
  shares->ends =
      gather(deal_by_node(nodes, near, weights, deal_stripes(*splits, weights)), groups, splits);
}

}  // namespace mrc
