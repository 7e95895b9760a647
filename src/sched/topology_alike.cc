// Without hwloc, where all libraries are linked in (MRC_PORTABLE), since that needs libudev: all
// CPUs are alike, and no input is placed near its workers.
#include "sched/topology.h"

namespace mrc {

Topology Topology::load() { return one_group(); }

// Its CPUs as one group; without hwloc the description cannot be read.
Topology Topology::synthetic(const SyntheticMachine &described) {
  CpuGroup all{.cpus = described.cpus};
  if (all.cpus.empty()) all.cpus = {0};
  return Topology({all});
}

}  // namespace mrc
