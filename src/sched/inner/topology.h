// topology: the CPUs this process may use, in groups that share a last-level cache,
// and how far it is from each group to the others and to all memory.
#pragma once

#include "base/int.h"

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

}  // namespace mrc
