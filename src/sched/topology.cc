#include "sched/topology.h"

#include "base/setting_name.h"
#include "sched/sched.h"

#include <errno.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace mrc {
namespace {

// Reads a size such as "1024K"; 0 if the file is missing.
i64 size_in(const std::string &path) {
  std::ifstream file(path);
  i64 kibibytes = 0;
  return file >> kibibytes ? kibibytes << 10 : 0;
}

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

Topology::Topology(std::vector<CpuGroup> groups, std::vector<i64> nodes, std::vector<i64> distances)
    : groups_(std::move(groups)), nodes_(std::move(nodes)), distances_(std::move(distances)) {
  for (size_t i = 0; i < groups_.size(); ++i) {
    for (i64 cpu : groups_[i].cpus) {
      if (cpu >= std::ssize(group_of_cpu_)) group_of_cpu_.resize(static_cast<size_t>(cpu) + 1, -1);
      group_of_cpu_[static_cast<size_t>(cpu)] = static_cast<i64>(i);
    }
  }
}

Topology Topology::one_group() {
  CpuGroup all{.cpus = allowed_cpus()};
  // Reads the same files as hwloc: sysconf(3) is wrong about L3 in some virtual machines.
  const std::string caches = "/sys/devices/system/cpu/cpu" + std::to_string(all.cpus[0]) + "/cache";
  all.core_bytes = size_in(caches + "/index2/size");
  all.cache_bytes = size_in(caches + "/index3/size");
  Topology topology({all});
  topology.this_machine_ = true;
  return topology;
}

i64 Topology::cpus() const {
  i64 count = 0;
  for (const CpuGroup &group : groups_) count += std::ssize(group.cpus);
  return count;
}

i64 Topology::nodes() const {
  std::set<i64> nodes;
  for (const CpuGroup &group : groups_) nodes.insert(group.node);
  return std::ssize(nodes);
}

i64 Topology::distance(i64 node, i64 other) const {
  i64 row = std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin();
  i64 column = std::find(nodes_.begin(), nodes_.end(), other) - nodes_.begin();
  const i64 width = std::ssize(nodes_);
  if (distances_.empty() || row == width || column == width) return node == other ? 10 : 20;
  return distances_[static_cast<size_t>(row * width + column)];
}

std::vector<i64> Topology::others(i64 group) const {
  std::vector<i64> others;
  for (i64 step = 1; step < size(); ++step) others.push_back((group + step) % size());
  auto far = [&](i64 other) {
    return distance(groups_[static_cast<size_t>(group)].node,
                    groups_[static_cast<size_t>(other)].node);
  };
  std::stable_sort(others.begin(), others.end(), [&](i64 a, i64 b) { return far(a) < far(b); });
  return others;
}

std::vector<i64> Topology::nearest_to(i64 node) const {
  std::vector<i64> nearest;
  i64 least = INT64_MAX;
  for (i64 group = 0; group < size(); ++group) {
    i64 far = distance(groups_[static_cast<size_t>(group)].node, node);
    if (far < least) nearest.clear();
    if (far <= least) nearest.push_back(group);
    least = std::min(least, far);
  }
  return nearest;
}

i64 Topology::group_of(i64 cpu) const {
  return cpu >= 0 && cpu < std::ssize(group_of_cpu_) ? group_of_cpu_[static_cast<size_t>(cpu)] : -1;
}

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
