// place: assigns each worker of a job to a group of CPUs.
#pragma once

#include "base/status.h"
#include "sched/inner/topology.h"

#include <vector>

namespace mrc {

// One worker's group and, if it is to be bound, its CPU.
struct Place {
  i64 group = 0;
  i64 cpu = -1;  // -1: the kernel chooses, and may migrate the worker
};

// Pinned workers fill one group after the other, nearest first, so that workers that meet the same
// keys share a cache; when all CPUs are taken, it starts over. Other workers are spread over all
// groups in proportion to their CPUs, to use all caches and all memory.
std::vector<Place> place_workers(const Topology &topology, i64 workers, bool pin);

// Counts the workers of each group.
std::vector<i64> count_by_group(const std::vector<Place> &places, i64 groups);

// Returns the group nearest to the calling thread: its own if it is bound, else that of the CPU it
// runs on at this moment. Costs some 20 ns, and nothing with one group.
i64 group_here(const Topology &topology, const Place &place);

// Binds the calling thread to the CPU of its place, if that has one.
Status bind(const Place &place);

// Restores the affinity mask of the thread that made it.
class AffinityKeeper {
 public:
  AffinityKeeper();
  ~AffinityKeeper();
  AffinityKeeper(const AffinityKeeper &) = delete;
  AffinityKeeper &operator=(const AffinityKeeper &) = delete;

 private:
  std::vector<i64> cpus_;
};

}  // namespace mrc
