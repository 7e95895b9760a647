// Machines that are only described, for tests.
#pragma once

#include "sched/topology.h"

namespace mrc {

// Two chips of four cores, each with its own memory.
inline Topology two_chips() {
  return Topology::synthetic({"pack:2 [numa(memory=1000)] l3:1 l2:4 core:1 pu:1"});
}

// Four nodes of two cores in a ring: neighbours are at 16, the opposite one at 22.
inline Topology ring_of_four() {
  return Topology::synthetic(
      {.description = "pack:4 [numa(memory=1000)] l3:1 core:2 pu:1",
       .distances = {10, 16, 22, 16, 16, 10, 16, 22, 22, 16, 10, 16, 16, 22, 16, 10}});
}

// Six CPUs of one chip and two of another, as a cpuset may leave them.
inline Topology six_and_two() {
  return Topology::synthetic({.description = "pack:2 [numa(memory=1000)] l3:1 core:6 pu:1",
                              .cpus = {0, 1, 2, 3, 4, 5, 6, 7}});
}

}  // namespace mrc
