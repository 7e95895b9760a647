// The CPUs of a group agree in two things: the cache of level 3 or higher above them, and the
// nearest memory. On most machines one implies the other, but a chip may have one cache and several
// nodes (sub-NUMA clusters) or one node and several caches (CCXs), and data should cross neither
// border without need. Where no such cache is known, as in many virtual machines, the package
// replaces it: a private L2 cache would make each core a group, and each group's share of the input
// too small.
//
// Groups are in hwloc's order, which is depth first: groups with adjacent numbers are close on the
// machine.
#include "sched/sched.h"
#include "sched/topology.h"

#include <hwloc.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

// hwloc asks udev for the names of disks and network cards, which Topology does not use. These
// stubs of the functions that hwloc calls keep libudev out of the binary.
extern "C" {
[[gnu::visibility("hidden")]] void *udev_new() { return nullptr; }
[[gnu::visibility("hidden")]] void *udev_unref(void *) { return nullptr; }
[[gnu::visibility("hidden")]] void *udev_device_new_from_subsystem_sysname(void *, const char *,
                                                                           const char *) {
  return nullptr;
}
[[gnu::visibility("hidden")]] const char *udev_device_get_property_value(void *, const char *) {
  return nullptr;
}
[[gnu::visibility("hidden")]] void *udev_device_unref(void *) { return nullptr; }
}

namespace mrc {
namespace {

struct Destroy {
  void operator()(hwloc_topology *machine) const { hwloc_topology_destroy(machine); }
};
using Machine = std::unique_ptr<hwloc_topology, Destroy>;

std::vector<hwloc_obj_t> all_of(hwloc_topology_t machine, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> found;
  hwloc_obj_t next = nullptr;
  while ((next = hwloc_get_next_obj_by_type(machine, type, next)) != nullptr) found.push_back(next);
  return found;
}

hwloc_obj_t above(hwloc_obj_t pu, bool (*wanted)(hwloc_obj_type_t)) {
  hwloc_obj_t found = nullptr;  // the outermost
  for (hwloc_obj_t at = pu->parent; at != nullptr; at = at->parent) {
    if (wanted(at->type)) found = at;
  }
  return found;
}

hwloc_obj_t shared_cache(hwloc_obj_t pu) {
  return above(pu, [](hwloc_obj_type_t type) {
    return type == HWLOC_OBJ_L3CACHE || type == HWLOC_OBJ_L4CACHE || type == HWLOC_OBJ_L5CACHE;
  });
}

hwloc_obj_t core_cache(hwloc_obj_t pu) {
  return above(pu, [](hwloc_obj_type_t type) { return type == HWLOC_OBJ_L2CACHE; });
}

hwloc_obj_t package(hwloc_obj_t pu) {
  return above(pu, [](hwloc_obj_type_t type) { return type == HWLOC_OBJ_PACKAGE; });
}

i64 cache_bytes(hwloc_obj_t cache) {
  return cache == nullptr ? 0 : static_cast<i64>(cache->attr->cache.size);
}

bool has_memory(hwloc_obj_t node) { return node->attr->numanode.local_memory > 0; }

// Reads the distances between nodes, in their order; empty if the machine does not report them.
std::vector<i64> read_distances(hwloc_topology_t machine, const std::vector<hwloc_obj_t> &nodes) {
  unsigned matrices = 1;
  hwloc_distances_s *matrix = nullptr;
  int failed = hwloc_distances_get_by_type(machine, HWLOC_OBJ_NUMANODE, &matrices, &matrix,
                                           HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
  if (failed != 0 || matrices == 0) return {};
  std::vector<i64> distances;
  if (matrix->nbobjs == nodes.size() && std::equal(nodes.begin(), nodes.end(), matrix->objs)) {
    distances.assign(matrix->values, matrix->values + nodes.size() * nodes.size());
  }
  hwloc_distances_release(machine, matrix);
  return distances;
}

// Returns the node of a CPU: that of the smallest part of the machine that has one. If there are
// several in one part, hwloc puts the usual kind of memory first.
hwloc_obj_t own_node(hwloc_obj_t pu, const std::vector<hwloc_obj_t> &nodes) {
  hwloc_obj_t own = nullptr;
  for (hwloc_obj_t node : nodes) {
    if (!hwloc_bitmap_isincluded(pu->cpuset, node->cpuset)) continue;
    if (own == nullptr || hwloc_bitmap_weight(node->cpuset) < hwloc_bitmap_weight(own->cpuset)) {
      own = node;
    }
  }
  return own == nullptr ? nodes.front() : own;
}

// Returns the nearest node with memory: the kernel allocates there when a CPU of a node without
// memory touches a page first.
i64 home_of(hwloc_obj_t pu, const std::vector<hwloc_obj_t> &nodes, const Topology &distances) {
  hwloc_obj_t own = own_node(pu, nodes), home = nullptr;
  if (has_memory(own)) return own->os_index;
  for (hwloc_obj_t node : nodes) {
    if (!has_memory(node)) continue;
    if (home == nullptr || distances.distance(own->os_index, node->os_index) <
                               distances.distance(own->os_index, home->os_index)) {
      home = node;
    }
  }
  return home == nullptr ? own->os_index : home->os_index;
}

// Index of a CPU within its core.
unsigned sibling(hwloc_obj_t pu) {
  return pu->parent != nullptr && pu->parent->type == HWLOC_OBJ_CORE ? pu->sibling_rank : 0;
}

struct Found {
  hwloc_obj_t part;  // shared cache, or the package in its place
  CpuGroup group;
  std::vector<unsigned> siblings;  // sibling() of each CPU
};

// Puts one CPU of each core first: its siblings share its caches and execution units.
CpuGroup in_order(const Found &found) {
  std::vector<size_t> order(found.siblings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return found.siblings[a] < found.siblings[b]; });
  CpuGroup group = found.group;
  for (size_t i = 0; i < order.size(); ++i) group.cpus[i] = found.group.cpus[order[i]];
  return group;
}

// Returns the groups of the `allowed` CPUs; none if hwloc knows none of them.
std::vector<CpuGroup> read_groups(hwloc_topology_t machine, const std::set<i64> &allowed,
                                  const std::vector<hwloc_obj_t> &nodes,
                                  const Topology &distances) {
  std::vector<Found> all;
  for (hwloc_obj_t pu : all_of(machine, HWLOC_OBJ_PU)) {
    if (!allowed.empty() && !allowed.contains(pu->os_index)) continue;
    hwloc_obj_t cache = shared_cache(pu), part = cache != nullptr ? cache : package(pu);
    i64 home = home_of(pu, nodes, distances);
    auto group = std::find_if(all.begin(), all.end(), [&](const Found &found) {
      return found.part == part && found.group.node == home;
    });
    if (group == all.end()) {
      all.push_back({part, {{}, home, cache_bytes(cache), cache_bytes(core_cache(pu))}, {}});
      group = all.end() - 1;
    }
    group->group.cpus.push_back(pu->os_index);
    group->siblings.push_back(sibling(pu));
  }
  std::vector<CpuGroup> groups;
  for (const Found &found : all) groups.push_back(in_order(found));
  return groups;
}

// Returns no group if no CPU of the machine is allowed. REQUIRES: `machine` is loaded
std::vector<CpuGroup> read(hwloc_topology_t machine, const std::vector<i64> &allowed,
                           std::vector<i64> *ids, std::vector<i64> *distances) {
  const std::vector<hwloc_obj_t> nodes = all_of(machine, HWLOC_OBJ_NUMANODE);
  if (nodes.empty()) return {};
  for (hwloc_obj_t node : nodes) ids->push_back(node->os_index);
  *distances = read_distances(machine, nodes);
  return read_groups(machine, {allowed.begin(), allowed.end()}, nodes,
                     Topology({}, *ids, *distances));
}

Machine new_machine() {
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) != 0) return nullptr;
  // Keeps the calling thread's binding and disables what we do not use.
  hwloc_topology_set_flags(machine, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
                                        HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                        HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
  return Machine(machine);
}

void add_distances(hwloc_topology_t machine, const std::vector<i64> &distances) {
  std::vector<hwloc_obj_t> nodes = all_of(machine, HWLOC_OBJ_NUMANODE);
  std::vector<hwloc_uint64_t> values(distances.begin(), distances.end());
  hwloc_distances_add_handle_t handle = hwloc_distances_add_create(
      machine, "NUMALatency", HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY,
      0);
  if (hwloc_distances_add_values(machine, handle, static_cast<unsigned>(nodes.size()), nodes.data(),
                                 values.data(), 0) == 0) {
    hwloc_distances_add_commit(machine, handle, 0);
  }
}

}  // namespace

Topology Topology::load() {
  Machine machine = new_machine();
  if (machine == nullptr || hwloc_topology_load(machine.get()) != 0) return one_group();
  // HWLOC_SYNTHETIC and HWLOC_XMLFILE replace this machine by another.
  const bool here = hwloc_topology_is_thissystem(machine.get()) != 0;
  std::vector<i64> nodes, distances;
  std::vector<CpuGroup> groups =
      read(machine.get(), here ? allowed_cpus() : std::vector<i64>(), &nodes, &distances);
  if (groups.empty()) return one_group();
  Topology topology(std::move(groups), std::move(nodes), std::move(distances));
  topology.this_machine_ = here;
  return topology;
}

Topology Topology::synthetic(const SyntheticMachine &described) {
  Machine machine = new_machine();
  hwloc_topology_set_synthetic(machine.get(), described.description.c_str());
  hwloc_topology_load(machine.get());
  if (!described.distances.empty()) add_distances(machine.get(), described.distances);
  for (hwloc_obj_t node : all_of(machine.get(), HWLOC_OBJ_NUMANODE)) {
    if (std::ranges::count(described.memoryless, i64{node->os_index}) > 0) {
      node->attr->numanode.local_memory = 0;
    }
  }
  std::vector<i64> nodes, distances;
  std::vector<CpuGroup> groups = read(machine.get(), described.cpus, &nodes, &distances);
  return Topology(std::move(groups), std::move(nodes), std::move(distances));
}

}  // namespace mrc
