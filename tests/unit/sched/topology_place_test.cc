#include "sched/sched.h"
#include "sched/topology.h"
#include "unit/sched/machines.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <numeric>
#include <thread>

namespace mrc {
namespace {

using Numbers = std::vector<i64>;

Numbers groups_of(const Topology &topology, i64 workers, bool pin) {
  Numbers groups;
  for (const Place &place : place_workers(topology, workers, pin)) groups.push_back(place.group);
  return groups;
}

TEST(PlaceWorkers, SpreadsThemEvenly) {
  const Topology two = two_chips();
  EXPECT_EQ(groups_of(two, 1, false), (Numbers{0}));
  EXPECT_EQ(groups_of(two, 2, false), (Numbers{0, 1}));
  EXPECT_EQ(groups_of(two, 4, false), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(groups_of(two, 8, false), (Numbers{0, 0, 0, 0, 1, 1, 1, 1}));
  const Topology ring = ring_of_four();
  EXPECT_EQ(groups_of(ring, 2, false), (Numbers{0, 2}));
  EXPECT_EQ(groups_of(ring, 4, false), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(groups_of(ring, 8, false), (Numbers{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(PlaceWorkers, FillsAChipFirstIfPinned) {
  const Topology two = two_chips();
  EXPECT_EQ(groups_of(two, 4, true), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(groups_of(two, 6, true), (Numbers{0, 0, 0, 0, 1, 1}));
  // 0, then 1 and 3, which are nearer than 2.
  EXPECT_EQ(groups_of(ring_of_four(), 8, true), (Numbers{0, 0, 1, 1, 3, 3, 2, 2}));
}

TEST(PlaceWorkers, GivesUnevenGroupsTheirProportion) {
  const Topology uneven = six_and_two();
  EXPECT_EQ(groups_of(uneven, 8, false), (Numbers{0, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(groups_of(uneven, 4, false), (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(groups_of(uneven, 7, true), (Numbers{0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(count_by_group(place_workers(uneven, 80, false), 2), (Numbers{60, 20}));
}

TEST(PlaceWorkers, BeginsAgainWhenAllCpusAreTaken) {
  EXPECT_EQ(groups_of(ring_of_four(), 10, true), (Numbers{0, 0, 1, 1, 3, 3, 2, 2, 0, 0}));
  EXPECT_EQ(groups_of(two_chips(), 16, false),
            (Numbers{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(PlaceWorkers, HasAPlaceForEveryWorkerAndNoGroupTooMany) {
  for (const Topology &topology : {two_chips(), ring_of_four(), six_and_two()}) {
    for (i64 workers = 1; workers < 50; ++workers) {
      const std::vector<Place> places = place_workers(topology, workers, false);
      ASSERT_EQ(std::ssize(places), workers);
      const Numbers counts = count_by_group(places, topology.size());
      for (i64 group = 0; group < topology.size(); ++group) {
        const i64 cpus = std::ssize(topology.groups()[static_cast<size_t>(group)].cpus);
        const double fair =
            static_cast<double>(workers * cpus) / static_cast<double>(topology.cpus());
        EXPECT_LT(std::abs(static_cast<double>(counts[static_cast<size_t>(group)]) - fair), 1.0);
      }
    }
  }
}

TEST(PlaceWorkers, BindsToDifferentCpusOfThisMachineOnly) {
  for (const Place &place : place_workers(two_chips(), 8, true)) EXPECT_EQ(place.cpu, -1);
  const Topology here = Topology::load();
  for (const Place &place : place_workers(here, 8, false)) EXPECT_EQ(place.cpu, -1);
  Numbers cpus;
  for (const Place &place : place_workers(here, here.cpus(), true)) {
    EXPECT_EQ(here.group_of(place.cpu), place.group);
    cpus.push_back(place.cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  EXPECT_EQ(cpus, allowed_cpus());
}

TEST(GroupHere, IsThePlaceOfWhoIsBoundOrOnlyDescribed) {
  EXPECT_EQ(group_here(two_chips(), {1, -1}), 1);
  EXPECT_EQ(group_here(Topology::one_group(), {0, -1}), 0);
  EXPECT_EQ(group_here(Topology::load(), {0, allowed_cpus()[0]}), 0);
}

TEST(Bind, KeepsAThreadOnItsCpuUntilTheKeeperLetsGo) {
  std::thread([] {
    const Numbers before = allowed_cpus();
    {
      AffinityKeeper keeper;
      for (i64 cpu : before) {
        ASSERT_TRUE(bind({0, cpu}).is_ok());
        EXPECT_EQ(allowed_cpus(), Numbers{cpu});
        EXPECT_EQ(sched_getcpu(), cpu);
      }
    }
    EXPECT_EQ(allowed_cpus(), before);
  }).join();
}

TEST(Bind, FailsForACpuThatIsNotThere) {
  const Numbers before = allowed_cpus();
  EXPECT_EQ(bind({0, 4000}).message(), "pin: CPU 4000: Invalid argument");
  EXPECT_TRUE(bind({0, -1}).is_ok());
  EXPECT_EQ(allowed_cpus(), before);
}

}  // namespace
}  // namespace mrc
