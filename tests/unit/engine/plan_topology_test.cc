#include "engine/inner/plan_steps.h"
#include "sched/sched.h"
#include "split/split_queue.h"
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

TEST_F(PlanningTopology, AsksForPagesOfLargeFilesOnSeveralNodesOnly) {
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), 1 << 20), 0);  // a hole
  const char *why = " (each group begins with its own and then helps the nearest)";
  for (const IoMode io : {IoMode::read, IoMode::mmap}) {
    program_.io = io;
    const Plan of_two = plan(two_chips());
    EXPECT_TRUE(of_two.nodes_matter);
    EXPECT_EQ(decision(of_two, "shares"), std::string("by the node of pages") + why);
    EXPECT_FALSE(plan(Topology({{{0}, 0}, {{1}, 0}})).nodes_matter);
  }
  program_.switches.by_pages = false;
  EXPECT_TRUE(plan(two_chips()).nodes_matter) << "they are counted";
  EXPECT_EQ(decision(plan(two_chips()), "shares"), std::string("stripes") + why);
  program_.switches = {.static_schedule = true};
  EXPECT_FALSE(plan(two_chips()).nodes_matter);
  program_.switches = {};
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), (1 << 20) - 1), 0);
  EXPECT_FALSE(plan(two_chips()).nodes_matter);
}

TEST_F(PlanningTopology, FindsTheNodesOfSplitsInMemory) {
  program_.inputs = {folder_.write("large", std::string(2 << 20, '\n')), folder_.write("hole", ""),
                     folder_.write("small", std::string(8000, '\n'))};
  ASSERT_EQ(truncate(program_.inputs[1].c_str(), 2 << 20), 0);
  Plan given = plan(two_chips());  // more splits than are asked for at once
  WorkerPool pool(4);
  ASSERT_TRUE(find_nodes(given, &pool, &given.splits).is_ok());
  const bool told = given.splits[0].node >= 0;
  for (const Split &split : given.splits) {
    EXPECT_EQ(split.node >= 0, told && split.source == 0) << split.source << " " << split.begin;
  }
  if (!told) GTEST_SKIP() << "move_pages tells nothing here";
}

TEST_F(PlanningTopology, DealsPagesToTheGroupsThatAreNear) {
  // Quarters of the input lie on nodes 3, 2, 1, 0; some splits are not in memory.
  const Topology ring = ring_of_four();
  const Plan given = plan(ring);
  std::vector<Split> splits = given.splits;
  for (Split &split : splits) split.node = 3 - split.begin / 2000;
  splits[0].node = splits[1].node = -1;
  Shares shares = given.shares;
  deal_by_pages(given, &splits, &shares);
  ASSERT_EQ(splits.size(), given.splits.size());
  EXPECT_EQ(shares.others, given.shares.others);
  EXPECT_EQ(shares.nodes, (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(splits[0].begin, 0) << "in the stripe of group 0";
  i64 at = 0;
  for (i64 group = 0; group < 4; ++group) {
    EXPECT_LT(at, shares.ends[static_cast<size_t>(group)]);
    for (; at < shares.ends[static_cast<size_t>(group)]; ++at) {
      const i64 node = splits[static_cast<size_t>(at)].node;
      EXPECT_TRUE(node == group || node < 0) << group << " " << node;
    }
  }
}

// Groups take turns, as if all were equally fast.
ReadCounts read_in_turn(const Plan &plan, std::vector<Split> splits, const Shares &shares) {
  SplitQueue queue({.sources = plan.sources,
                    .splits = std::move(splits),
                    .cuts = CutBytes("\n"),
                    .shares = shares,
                    .io = plan.io,
                    .group_of = [](i64 worker) { return worker; }});
  std::vector<std::unique_ptr<ChunkSource::Reader>> readers;
  for (i64 group = 0; group < plan.topology.size(); ++group) {
    readers.push_back(queue.make_reader(group));
  }
  for (bool more = true; more;) {
    more = false;
    for (const auto &reader : readers) {
      const Result<std::optional<Unit>> unit = reader->claim();
      more |= unit.is_ok() && unit->has_value();
    }
  }
  ReadCounts all;
  for (const auto &reader : readers) {
    all.stolen += reader->counts().stolen;
    all.placed_bytes += reader->counts().placed_bytes;
    all.near_bytes += reader->counts().near_bytes;
  }
  return all;
}

// Of files that were written on other nodes than those whose stripes they are.
TEST_F(PlanningTopology, LetsGroupsReadWhatIsNearIfDealtByPages) {
  const Topology ring = ring_of_four();
  for (const IoMode io : {IoMode::read, IoMode::mmap}) {
    program_.io = io;
    Plan given = plan(ring);
    for (Split &split : given.splits) split.node = (split.begin / 2000 + 1) % 4;
    std::vector<Split> splits = given.splits;
    Shares shares = given.shares;
    deal_by_pages(given, &splits, &shares);
    const ReadCounts by_pages = read_in_turn(given, splits, shares);
    const ReadCounts in_stripes = read_in_turn(given, given.splits, given.shares);
    EXPECT_EQ(by_pages.placed_bytes, 8000);
    EXPECT_EQ(in_stripes.placed_bytes, 8000);
    EXPECT_GE(by_pages.near_bytes, 7800);
    EXPECT_LE(in_stripes.near_bytes, 200);
  }
}

}  // namespace
}  // namespace mrc
