#include "sched/topology.h"

#include "sched/sched.h"
#include "unit/sched/machines.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>

namespace mrc {
namespace {

using Numbers = std::vector<i64>;

std::vector<Numbers> cpus_of(const Topology &topology) {
  std::vector<Numbers> cpus;
  for (const CpuGroup &group : topology.groups()) cpus.push_back(group.cpus);
  return cpus;
}

Numbers nodes_of(const Topology &topology) {
  Numbers nodes;
  for (const CpuGroup &group : topology.groups()) nodes.push_back(group.node);
  return nodes;
}

TEST(Topology, HasAGroupForEachChip) {
  const Topology topology = two_chips();
  EXPECT_EQ(cpus_of(topology), (std::vector<Numbers>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(nodes_of(topology), (Numbers{0, 1}));
  EXPECT_EQ(topology.cpus(), 8);
  EXPECT_EQ(topology.nodes(), 2);
  EXPECT_FALSE(topology.is_this_machine());
}

TEST(Topology, TellsTheSizesOfCaches) {
  const Topology topology = Topology::synthetic(
      {"pack:2 [numa(memory=1000)] l3:1(size=33554432) l2:4(size=1048576) core:1 pu:1"});
  for (const CpuGroup &group : topology.groups()) {
    EXPECT_EQ(group.cache_bytes, i64{32} << 20);
    EXPECT_EQ(group.core_bytes, i64{1} << 20);
  }
  const CpuGroup bare = Topology::synthetic({"pack:1 [numa(memory=1000)] core:2 pu:1"}).groups()[0];
  EXPECT_EQ(bare.cache_bytes, 0);
  EXPECT_EQ(bare.core_bytes, 0);
}

// Four CCXs on one node, as on many EPYCs.
TEST(Topology, HasSeveralGroupsOnANodeWithSeveralCaches) {
  const Topology topology = Topology::synthetic({"pack:2 [numa(memory=1000)] l3:2 core:2 pu:1"});
  EXPECT_EQ(cpus_of(topology), (std::vector<Numbers>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(nodes_of(topology), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(topology.others(1), (Numbers{0, 2, 3}));
  EXPECT_EQ(topology.others(2), (Numbers{3, 0, 1}));
  EXPECT_EQ(topology.nearest_to(1), (Numbers{2, 3}));
}

// Sub-NUMA clusters: one cache, several nodes.
TEST(Topology, HasSeveralGroupsBelowACacheWithSeveralNodes) {
  const Topology topology =
      Topology::synthetic({"pack:1 l3:1 group:2 [numa(memory=1000)] core:2 pu:1"});
  EXPECT_EQ(cpus_of(topology), (std::vector<Numbers>{{0, 1}, {2, 3}}));
  EXPECT_EQ(nodes_of(topology), (Numbers{0, 1}));
}

TEST(Topology, HasAGroupForEachPackageWhereNoSharedCacheIsKnown) {
  const Topology topology = Topology::synthetic({"pack:2 [numa(memory=1000)] l2:3 core:1 pu:1"});
  EXPECT_EQ(cpus_of(topology), (std::vector<Numbers>{{0, 1, 2}, {3, 4, 5}}));
}

TEST(Topology, PutsOneCpuOfEachCoreBeforeItsSiblings) {
  const Topology topology = Topology::synthetic({"pack:2 [numa(memory=1000)] l3:1 core:3 pu:2"});
  EXPECT_EQ(cpus_of(topology), (std::vector<Numbers>{{0, 2, 4, 1, 3, 5}, {6, 8, 10, 7, 9, 11}}));
}

TEST(Topology, OrdersOtherGroupsByDistanceThenByNumber) {
  const Topology ring = ring_of_four();
  EXPECT_EQ(ring.others(0), (Numbers{1, 3, 2}));
  EXPECT_EQ(ring.others(1), (Numbers{2, 0, 3}));
  EXPECT_EQ(ring.others(2), (Numbers{3, 1, 0}));
  EXPECT_EQ(ring.others(3), (Numbers{0, 2, 1}));
  EXPECT_EQ(ring.distance(0, 0), 10);
  EXPECT_EQ(ring.distance(1, 3), 22);
}

TEST(Topology, TurnsToTheNextWhereDistancesAreUnknown) {
  const Topology topology = Topology::synthetic({"pack:4 [numa(memory=1000)] l3:1 core:2 pu:1"});
  EXPECT_EQ(topology.others(2), (Numbers{3, 0, 1}));
  EXPECT_EQ(topology.distance(2, 2), 10);
  EXPECT_EQ(topology.distance(2, 3), 20);
  EXPECT_EQ(topology.distance(7, 9), 20);
}

TEST(Topology, KeepsToTheCpuset) {
  const Topology uneven = six_and_two();
  EXPECT_EQ(cpus_of(uneven), (std::vector<Numbers>{{0, 1, 2, 3, 4, 5}, {6, 7}}));
  const Topology one = Topology::synthetic(
      {.description = "pack:4 [numa(memory=1000)] l3:1 core:2 pu:1", .cpus = {2, 5, 999}});
  EXPECT_EQ(cpus_of(one), (std::vector<Numbers>{{2}, {5}}));
  EXPECT_EQ(nodes_of(one), (Numbers{1, 2}));
  EXPECT_EQ(one.group_of(5), 1);
  for (i64 outside : {-1, 0, 3, 6, 999}) EXPECT_EQ(one.group_of(outside), -1);
}

TEST(Topology, GivesCpusOfANodeWithoutMemoryTheNearestMemory) {
  const std::vector<i64> ring = {10, 16, 22, 16, 16, 10, 16, 22, 22, 16, 10, 16, 16, 22, 16, 10};
  const Topology topology =
      Topology::synthetic({.description = "pack:4 [numa(memory=1000)] l3:1 core:2 pu:1",
                           .distances = ring,
                           .memoryless = {0, 1}});
  // The groups stay, since their caches do.
  EXPECT_EQ(cpus_of(topology), (std::vector<Numbers>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(nodes_of(topology), (Numbers{3, 2, 2, 3}));
  EXPECT_EQ(topology.nodes(), 2);
  EXPECT_EQ(topology.others(1), (Numbers{2, 3, 0}));
}

TEST(Topology, StaysOnANodeWithoutMemoryIfNoneHasAny) {
  const Topology topology = Topology::synthetic(
      {.description = "pack:2 [numa(memory=1000)] l3:1 core:2 pu:1", .memoryless = {0, 1}});
  EXPECT_EQ(nodes_of(topology), (Numbers{0, 1}));
}

TEST(Topology, FindsTheGroupsBesideANodeWithoutCpus) {
  // Memory at a third node, next to the second.
  const Topology topology({{{0, 1}, 0}, {{2, 3}, 1}}, {0, 1, 2},
                          {10, 21, 40, 21, 10, 17, 40, 17, 10});
  EXPECT_EQ(topology.nearest_to(2), (Numbers{1}));
  EXPECT_EQ(topology.nearest_to(0), (Numbers{0}));
  EXPECT_EQ(topology.nodes(), 2);
  // To an unknown node, all are equally far.
  EXPECT_EQ(topology.nearest_to(5), (Numbers{0, 1}));
}

TEST(Topology, TakesTheUsualMemoryWhereAPartHasTwoKinds) {
  const Topology topology =
      Topology::synthetic({"pack:2 [numa(memory=1000)] [numa(memory=1000)] l3:1 core:2 pu:1"});
  EXPECT_EQ(topology.size(), 2);
  EXPECT_EQ(topology.nodes(), 2);
}

TEST(Topology, OfThisMachineHasTheAllowedCpus) {
  for (const Topology &topology : {Topology::one_group(), Topology::load()}) {
    Numbers cpus;
    for (const CpuGroup &group : topology.groups()) {
      EXPECT_FALSE(group.cpus.empty());
      cpus.insert(cpus.end(), group.cpus.begin(), group.cpus.end());
    }
    std::sort(cpus.begin(), cpus.end());
    EXPECT_EQ(cpus, allowed_cpus());
    EXPECT_TRUE(topology.is_this_machine());
    EXPECT_GE(topology.group_of(sched_getcpu()), 0);
  }
  EXPECT_EQ(Topology::one_group().size(), 1);
}

TEST(Topology, FollowsTheAffinityMask) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  const i64 last = allowed_cpus().back();
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(last), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(cpus_of(Topology::load()), (std::vector<Numbers>{{last}}));
  EXPECT_EQ(cpus_of(Topology::one_group()), (std::vector<Numbers>{{last}}));
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace mrc
