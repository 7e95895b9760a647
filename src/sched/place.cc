#include "sched/place.h"

#include "base/setting_name.h"
#include "sched/sched.h"

#include <errno.h>
#include <sched.h>

#include <algorithm>

namespace mrc {
namespace {

// Lists the CPUs of all groups: those of the first group, then those of the groups nearest to it.
std::vector<Place> fill(const Topology &topology) {
  std::vector<i64> order = topology.others(0);
  order.insert(order.begin(), 0);
  std::vector<Place> places;
  for (i64 group : order) {
    for (i64 cpu : topology.groups()[static_cast<size_t>(group)].cpus) {
      places.push_back({group, cpu});
    }
  }
  return places;
}

int set_affinity(const std::vector<i64> &cpus) {
  const i64 most = *std::max_element(cpus.begin(), cpus.end()) + 1;
  cpu_set_t *set = CPU_ALLOC(static_cast<size_t>(most));
  const size_t bytes = CPU_ALLOC_SIZE(static_cast<size_t>(most));
  CPU_ZERO_S(bytes, set);
  for (i64 cpu : cpus) CPU_SET_S(static_cast<size_t>(cpu), bytes, set);
  const int error = sched_setaffinity(0, bytes, set) == 0 ? 0 : errno;
  CPU_FREE(set);
  return error;
}

}  // namespace

std::vector<Place> place_workers(const Topology &topology, i64 workers, bool pin) {
  std::vector<Place> places;
  if (pin) {
    const std::vector<Place> seats = fill(topology);
    for (i64 worker = 0; worker < workers; ++worker) {
      places.push_back(seats[static_cast<size_t>(worker % std::ssize(seats))]);
      if (!topology.is_this_machine()) places.back().cpu = -1;
    }
    return places;
  }
  // Puts all CPUs in a row, group by group, and the workers along it at equal distances. Each
  // worker gets the group at its position.
  i64 group = 0, end = std::ssize(topology.groups()[0].cpus);
  for (i64 worker = 0; worker < workers; ++worker) {
    while (worker * topology.cpus() / workers >= end) {
      end += std::ssize(topology.groups()[static_cast<size_t>(++group)].cpus);
    }
    places.push_back({group, -1});
  }
  return places;
}

std::vector<i64> count_by_group(const std::vector<Place> &places, i64 groups) {
  std::vector<i64> counts(static_cast<size_t>(groups));
  for (const Place &place : places) ++counts[static_cast<size_t>(place.group)];
  return counts;
}

i64 group_here(const Topology &topology, const Place &place) {
  if (topology.size() == 1 || place.cpu >= 0 || !topology.is_this_machine()) return place.group;
  const i64 group = topology.group_of(sched_getcpu());
  return group >= 0 ? group : place.group;
}

Status bind(const Place &place) {
  const int error = place.cpu < 0 ? 0 : set_affinity({place.cpu});
  if (error == 0) return Status::ok();
  return Status::from_errno(setting_name("pin") + ": CPU " + std::to_string(place.cpu), error);
}

AffinityKeeper::AffinityKeeper() : cpus_(allowed_cpus()) {}

AffinityKeeper::~AffinityKeeper() { set_affinity(cpus_); }

}  // namespace mrc
