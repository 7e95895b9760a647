// The CPUs that this process may use, in groups that share a last-level cache, and the places of
// workers on them.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <string>
#include <vector>

namespace mrc {

// CPUs that share a last-level cache (a chip, a CCX) and their nearest memory.
struct CpuGroup {
  std::vector<i64> cpus;  // numbers of the kernel; one CPU of each core, then their siblings
  i64 node = 0;           // number of the nearest node with memory, as in the kernel
  i64 cache_bytes = 0;    // size of the last-level cache; 0: unknown
  i64 core_bytes = 0;     // size of the L2 cache of one core; 0: unknown
};

// Describes a machine for tests: see Topology::synthetic.
struct SyntheticMachine {
  std::string description;           // "pack:2 [numa] l3:1 core:4 pu:1"
  std::vector<i64> cpus = {};        // the affinity mask; empty: all
  std::vector<i64> distances = {};   // between nodes, row by row; empty: unknown
  std::vector<i64> memoryless = {};  // nodes that have no memory
};

// Immutable; any thread may read it.
class Topology {
 public:
  // `distances` between `nodes`, row by row; empty if unknown.
  // REQUIRES: at least one group, none of them empty.
  explicit Topology(std::vector<CpuGroup> groups, std::vector<i64> nodes = {},
                    std::vector<i64> distances = {});

  // Makes one group of this machine's CPUs; takes almost no time.
  static Topology one_group();
  // Reads this machine by hwloc, which takes 2 to 12 ms; one group if hwloc finds nothing.
  static Topology load();
  // Makes a machine from a description (hwloc(7), "Synthetic topologies"). REQUIRES: the
  // description is valid and some of its CPUs are in the mask.
  static Topology synthetic(const SyntheticMachine &machine);

  const std::vector<CpuGroup> &groups() const { return groups_; }
  i64 size() const { return static_cast<i64>(groups_.size()); }
  i64 cpus() const;
  // Number of different nodes of the groups.
  i64 nodes() const;

  // False for a synthetic machine: threads cannot be bound to its CPUs.
  bool is_this_machine() const { return this_machine_; }

  // Returns the distance that the firmware states, where 10 is local memory. If unknown: 10 or 20.
  i64 distance(i64 node, i64 other) const;
  // Returns all groups except this one, nearest first. Equally near ones begin with the next
  // number, so that not all groups turn to the same one.
  std::vector<i64> others(i64 group) const;
  // Returns the groups nearest to a node: its own, or the neighbours of memory without CPUs.
  std::vector<i64> nearest_to(i64 node) const;
  // Returns the group of a CPU, or -1.
  i64 group_of(i64 cpu) const;

 private:
  std::vector<CpuGroup> groups_;
  std::vector<i64> nodes_;
  std::vector<i64> distances_;
  std::vector<i64> group_of_cpu_;
  bool this_machine_ = false;
};

// Assigns each worker of a job to a group of CPUs.

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
