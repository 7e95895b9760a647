#include "engine/plan_topology.h"

#include "sched/sched.h"
#include "support/temporary_folder.h"
#include "unit/sched/machines.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mrc {
namespace {

using Numbers = std::vector<i64>;

class PlanningTopology : public testing::Test {
 protected:
  PlanningTopology() { program_.inputs = {folder_.write("in", std::string(8000, '\n'))}; }

  Plan plan(const Topology &topology) {
    program_.split_bytes = 100;
    program_.threads = 8;
    return make_plan(program_, &topology);
  }

  static std::string decision(const Plan &plan, const std::string &name) {
    for (const Decision &decision : plan.decisions) {
      if (decision.name == name) return decision.value + " (" + decision.reason + ")";
    }
    return "none";
  }

  TemporaryFolder folder_;
  Program program_;
};

TEST_F(PlanningTopology, GivesEachGroupAStripeOfTheInput) {
  const Plan plan_of_ring = plan(ring_of_four());
  const Plan &plan = plan_of_ring;
  ASSERT_EQ(plan.shares.ends.size(), 4u);
  EXPECT_EQ(plan.shares.ends.back(), std::ssize(plan.splits));
  EXPECT_EQ(plan.shares.others, (std::vector<Numbers>{{1, 3, 2}, {2, 0, 3}, {3, 1, 0}, {0, 2, 1}}));
  for (size_t group = 0; group < 4; ++group) {
    const Split &first =
        plan.splits[static_cast<size_t>(group == 0 ? 0 : plan.shares.ends[group - 1])];
    EXPECT_NEAR(static_cast<double>(first.begin), 2000.0 * static_cast<double>(group), 100);
  }
  EXPECT_EQ(decision(plan, "places"),
            "2, 2, 2, 2 workers by group (in proportion to CPUs; the kernel may move them)");
  EXPECT_EQ(decision(plan, "shares"),
            "stripes (each group begins with its own and then helps the nearest)");
}

TEST_F(PlanningTopology, GivesGroupsWithoutWorkersNothing) {
  program_.pin = true;
  program_.threads = 2;
  const Topology ring = ring_of_four();
  program_.split_bytes = 100;
  const Plan plan = make_plan(program_, &ring);
  const i64 all = std::ssize(plan.splits);
  EXPECT_EQ(plan.shares.ends, (Numbers{all, all, all, all}));
  EXPECT_EQ(plan.places[1].group, 0);
  EXPECT_EQ(decision(plan, "places"),
            "2, 0, 0, 0 workers by group (bound to CPUs, filling one group after the other)");
}

TEST_F(PlanningTopology, DealsByTheProportionOfUnevenGroups) {
  const Plan uneven = plan(six_and_two());
  EXPECT_EQ(count_by_group(uneven.places, 2), (Numbers{6, 2}));
  i64 bytes = 0;
  for (i64 i = 0; i < uneven.shares.ends[0]; ++i) {
    bytes +=
        uneven.splits[static_cast<size_t>(i)].end - uneven.splits[static_cast<size_t>(i)].begin;
  }
  EXPECT_NEAR(static_cast<double>(bytes), 6000, 100);
}

TEST_F(PlanningTopology, IsOneGroupForSmallInputAndWhereAsked) {
  Plan small = make_plan(program_);
  EXPECT_EQ(small.topology.size(), 1);
  EXPECT_EQ(small.shares.ends, (Numbers{std::ssize(small.splits)}));
  EXPECT_TRUE(decision(small, "topology").starts_with("1 group of "))
      << decision(small, "topology");
  EXPECT_TRUE(decision(small, "topology").ends_with(" to look for groups)"));
  EXPECT_EQ(decision(small, "places"), "none");
  EXPECT_EQ(decision(small, "shares"), "none");
  program_.numa = false;
  EXPECT_EQ(plan(two_chips()).topology.size(), 1);
}

TEST_F(PlanningTopology, IsReadWhenAskedOrWhenThereIsMuchInput) {
  const char *hwloc = " (CPUs that share a last-level cache, as hwloc sees them)";
  program_.numa = true;
  EXPECT_TRUE(decision(make_plan(program_), "topology").ends_with(hwloc));
  program_.numa.reset();
  program_.pin = true;
  EXPECT_TRUE(decision(make_plan(program_), "topology").ends_with(hwloc));
  program_.pin = false;
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), (i64{64} << 20) + 1), 0);
  EXPECT_EQ(decision(make_plan(program_), "topology").ends_with(hwloc), allowed_cpus().size() > 1);
}

TEST_F(PlanningTopology, DescribesTheMachine) {
  EXPECT_EQ(decision(plan(Topology({{{0}, 0, i64{32} << 20, i64{1} << 20}})), "topology"),
            "1 group of 1 CPU, cache 32 MiB, L2 1024 KiB (as given)");
  EXPECT_EQ(decision(plan(Topology({{{0, 1}, 0}, {{2, 3, 4}, 0}})), "topology"),
            "2 groups of 2, 3 CPUs (as given)");
  EXPECT_EQ(decision(plan(Topology({{{0}, 0}, {{2}, 1}})), "topology"),
            "2 groups of 1 CPU on 2 nodes (as given)");
}

TEST_F(PlanningTopology, AsksForPagesOfLargeMappedInputOnSeveralNodesOnly) {
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), (i64{1} << 30) + 1), 0);  // a hole
  auto by_pages = [&](const Topology &topology) { return make_plan(program_, &topology).by_pages; };
  EXPECT_FALSE(by_pages(two_chips()));
  program_.io = IoMode::mmap;
  EXPECT_TRUE(by_pages(two_chips()));
  EXPECT_FALSE(by_pages(Topology({{{0}, 0}, {{1}, 0}})));
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), i64{1} << 30), 0);
  EXPECT_FALSE(by_pages(two_chips()));
}

TEST_F(PlanningTopology, DealsPagesToTheGroupsThatAreNear) {
  // All memory of this machine is near the second group, if it is on node 0.
  const Topology topology({{{0}, 1}, {{1}, 0}}, {0, 1}, {10, 20, 20, 10});
  const Plan given = plan(topology);
  std::vector<Split> splits = given.splits;
  Shares shares = given.shares;
  deal_by_pages(given, &splits, &shares);
  ASSERT_EQ(splits.size(), given.splits.size());
  EXPECT_EQ(shares.others, given.shares.others);
  EXPECT_EQ(shares.ends[1], std::ssize(splits));
  if (shares.ends[0] == given.shares.ends[0]) GTEST_SKIP() << "move_pages tells nothing here";
  EXPECT_EQ(shares.ends[0], 0);
  for (size_t i = 1; i < splits.size(); ++i) EXPECT_GT(splits[i].begin, splits[i - 1].begin);
}

}  // namespace
}  // namespace mrc
