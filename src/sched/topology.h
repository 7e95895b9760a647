// topology: the CPUs this process may use, in groups that share a last-level cache,
// and how far it is from each group to the others and to all memory.
#pragma once

#include "base/int.h"

#include <string>
#include <vector>

namespace mrc {

// CPUs that share a last-level cache (a chip, a CCX) and have the same memory near.
struct CpuGroup {
  std::vector<i64> cpus;  // as the kernel numbers them; one of each core before its siblings
  i64 node = 0;           // the nearest one with memory, as the kernel numbers it
  i64 cache_bytes = 0;    // of the last level; 0: unknown
  i64 core_bytes = 0;     // of the L2 cache of one core; 0: unknown
};

// What a machine for tests is like: see Topology::synthetic.
struct SyntheticMachine {
  std::string description;           // "pack:2 [numa] l3:1 core:4 pu:1"
  std::vector<i64> cpus = {};        // the affinity mask; empty: all
  std::vector<i64> distances = {};   // between nodes, row by row; empty: unknown
  std::vector<i64> memoryless = {};  // nodes that have no memory
};

// Does not change once it is made: any thread may read it.
class Topology {
 public:
  // `distances` between `nodes`, row by row; empty if unknown.
  // REQUIRES: at least one group, none of them empty.
  explicit Topology(std::vector<CpuGroup> groups, std::vector<i64> nodes = {},
                    std::vector<i64> distances = {});

  // This machine as one group, whatever it is; costs next to nothing.
  static Topology one_group();
  // This machine as hwloc sees it, which takes 2 to 12 ms; one group if it sees nothing.
  static Topology load();
  // A machine that is only described (hwloc(7), "Synthetic topologies").
  // REQUIRES: a description that is valid and leaves CPUs over.
  static Topology synthetic(const SyntheticMachine &machine);

  const std::vector<CpuGroup> &groups() const { return groups_; }
  i64 size() const { return static_cast<i64>(groups_.size()); }
  i64 cpus() const;
  // How many different nodes the groups are on.
  i64 nodes() const;

  // False for one that is only described: nothing can be bound to its CPUs.
  bool is_this_machine() const { return this_machine_; }

  // In the unit of the firmware: 10 is local memory. Of unknown nodes, 10 and 20.
  i64 distance(i64 node, i64 other) const;
  // All groups but this one, nearest first; of equally near ones first the next by
  // number, so that not all groups turn to the same one.
  std::vector<i64> others(i64 group) const;
  // The groups nearest to a node: its own, or for memory without CPUs those beside it.
  std::vector<i64> nearest_to(i64 node) const;
  // The group of a CPU, -1 if it is in none.
  i64 group_of(i64 cpu) const;

 private:
  std::vector<CpuGroup> groups_;
  std::vector<i64> nodes_;
  std::vector<i64> distances_;
  std::vector<i64> group_of_cpu_;
  bool this_machine_ = false;
};

}  // namespace mrc
