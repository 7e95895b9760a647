#include "engine/inner/plan_steps.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

constexpr u64 kMany = 9000000;
constexpr i64 kMuch = i64{33} << 20;

class PlanningKeys : public testing::Test {
 protected:
  PlanningKeys() {
    program_.map.records = MapSpec::Records::lines;
    program_.threads = 2;
  }

  // 33 MiB of lines of eight bytes: four million, drawn from so many.
  void input_of(u64 keys) {
    std::mt19937_64 random(1);
    std::string text;
    while (std::ssize(text) < kMuch) text += std::to_string(1000000 + random() % keys) + "\n";
    program_.inputs = {folder_.write("in", text)};
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

TEST_F(PlanningKeys, KnowsNothingOfLittleInput) {
  program_.inputs = {folder_.write("in", "a\nb\n")};
  const Plan plan = make_plan(program_);
  EXPECT_EQ(decision(plan, "keys"), "unknown (too little input for a sample)");
  EXPECT_EQ(plan.forecast.keys, 0);
  EXPECT_EQ(plan.expected_keys, 0);
  EXPECT_EQ(plan.partition_bits, 9);
  EXPECT_GT(plan.hot_bytes, 0);
  EXPECT_TRUE(plan.phases.empty());
}

TEST_F(PlanningKeys, SaysThatATableIsTooSmall) {
  program_.inputs = {folder_.write("in", "a\nb\n")};
  const auto notes = [&](i64 size) {
    program_.switches.hot_bytes = size;
    return make_plan(program_).notes;
  };
  EXPECT_TRUE(notes(0).empty());
  EXPECT_TRUE(notes(100'000).empty());
  ASSERT_EQ(notes(10'000).size(), 1u);
  EXPECT_NE(notes(10'000)[0].find("hot=10000: a table of that size has no room"),
            std::string::npos);
}

TEST_F(PlanningKeys, ReadsNothingOfStreams) {
  input_of(1000);
  program_.inputs.push_back("/dev/null");
  EXPECT_EQ(decision(make_plan(program_), "keys"), "unknown (streams cannot be sampled)");
}

TEST_F(PlanningKeys, SharesKeysThatManyWorkersMeet) {
  input_of(200000);  // 20 records for each
  const auto shares = [&](i64 threads) {
    program_.threads = threads;
    return make_plan(program_).most_shared_bytes > 0;
  };
  EXPECT_FALSE(shares(1));
  EXPECT_TRUE(shares(2));
  EXPECT_TRUE(shares(8));
  program_.switches.share_bytes = 0;
  EXPECT_FALSE(shares(8)) << "as asked";
  program_.switches.share_bytes = 4096;
  EXPECT_TRUE(shares(1)) << "as asked";
  program_.switches.share_bytes.reset();
  program_.memory = i64{100} << 20;
  EXPECT_FALSE(shares(8)) << "memory is short";
  program_.memory.reset();
  input_of(1000);
  EXPECT_FALSE(shares(8)) << "all fit in tables of workers";
  input_of(kMany);
  EXPECT_FALSE(shares(8)) << "keys are rare";
}

TEST_F(PlanningKeys, ForetellsFewKeys) {
  input_of(1000);
  const Plan plan = make_plan(program_);
  EXPECT_NEAR(plan.forecast.keys, 1000, 10);
  EXPECT_NEAR(static_cast<double>(plan.expected_keys), 1000, 10);
  EXPECT_EQ(plan.partition_bits, 6);
  EXPECT_EQ(plan.common_prefix, "1000");
  EXPECT_EQ(decision(plan, "keys"),
            "about 1,000 distinct among 4,330,000 (4,330 each), 100 % up to 15 bytes "
            "(64 samples of 4 KiB)");
  EXPECT_EQ(decision(plan, "prefix"),
            "4 bytes (that all keys sampled share are left out of comparisons)");
  EXPECT_TRUE(decision(plan, "group").starts_with("flat table (")) << decision(plan, "group");
  ASSERT_EQ(plan.phases.size(), 1u);
  EXPECT_EQ(plan.phases[0].name, "sample");
}

TEST_F(PlanningKeys, HasAnArrayForSmallNumbers) {
  const auto container = [this](u64 numbers, const std::string &other) {
    std::string text;
    for (u64 i = 0; std::ssize(text) < kMuch; ++i) {
      text += (i % 50 == 0 ? other : "") + std::to_string(i * 7919 % numbers) + "\n";
    }
    program_.inputs = {folder_.write("numbers", text)};
    return std::string(make_plan(program_).container->name);
  };
  EXPECT_EQ(container(20000, ""), "array");
  EXPECT_EQ(container(500, ""), "flat") << "a small table is as fast";
  EXPECT_EQ(container(20000, "x"), "flat") << "2 % are no numbers";
  program_.container = &kFlatContainer;
  EXPECT_EQ(container(20000, ""), "flat") << "as asked";
}

TEST_F(PlanningKeys, HasNoTableForRareKeys) {
  input_of(kMany);
  const Plan plan = make_plan(program_);
  EXPECT_LT(plan.forecast.repeats, 1.5);
  EXPECT_EQ(plan.hot_bytes, 0);
  EXPECT_EQ(plan.expected_keys, 0);
  EXPECT_EQ(plan.partition_bits, 8);  // for 3.4 million keys
  EXPECT_TRUE(
      decision(plan, "group").starts_with("no table; all records are staged (keys are rare"))
      << decision(plan, "group");
}

TEST_F(PlanningKeys, KeepsTheTableForLongKeysThatRepeat) {
  input_of(1500000);  // not quite three records each
  EXPECT_EQ(make_plan(program_).hot_bytes, 0);
  std::mt19937_64 random(1);
  std::string text;
  while (std::ssize(text) < kMuch) {
    text += std::to_string(1000000 + random() % 300000) + std::string(32, 'x') + "\n";
  }
  program_.inputs = {folder_.write("long", text)};
  EXPECT_GT(make_plan(program_).hot_bytes, 0);
}

TEST_F(PlanningKeys, DoesWhatWasAsked) {
  input_of(kMany);
  program_.switches.hot_bytes = i64{1} << 20;
  program_.switches.partition_bits = 7;
  program_.memory = i64{100} << 20;
  Plan plan = make_plan(program_);
  EXPECT_EQ(plan.hot_bytes, i64{1} << 20);
  EXPECT_LE(plan.expected_keys * 32 * 8 / 5, i64{1} << 20);
  EXPECT_EQ(plan.partition_bits, 7);
  EXPECT_EQ(plan.memory, i64{100} << 20);
  EXPECT_EQ(decision(plan, "group"), "flat table of up to 1 MiB (as asked)");
  EXPECT_EQ(decision(plan, "stage"), "128 partitions (as asked)");
  EXPECT_EQ(decision(plan, "memory"), "100 MiB (as asked)");
  program_.switches.sample = Sampling::off;
  EXPECT_EQ(decision(make_plan(program_), "keys"), "unknown (as asked)");
}

TEST_F(PlanningKeys, LeavesTablesAThirdOfTheirWorkersMemory) {
  input_of(1000000);
  program_.memory = i64{60} << 20;
  program_.switches.share_bytes = 0;
  const Plan plan = make_plan(program_);
  EXPECT_EQ(plan.hot_bytes, i64{10} << 20);
  EXPECT_LE(plan.expected_keys, 10 << 20);
  EXPECT_GT(plan.expected_keys, 0);
}

TEST_F(PlanningKeys, HasABudgetWhoeverAsksForNone) {
  program_.inputs = {folder_.write("in", "a\n")};
  const Plan plan = make_plan(program_);
  EXPECT_GT(plan.memory, i64{1} << 20);
  EXPECT_LE(plan.hot_bytes, plan.memory / 3);
}

TEST_F(PlanningKeys, LooksForACommonPrefixOfRecordsToSort) {
  input_of(1000);
  program_.stage = &kSortStage;
  program_.sort.emplace();
  const Plan plan = make_plan(program_);
  EXPECT_EQ(plan.common_prefix, "1000");
  EXPECT_EQ(decision(plan, "keys"), "none");
  EXPECT_EQ(decision(plan, "group"), "none");
}

}  // namespace
}  // namespace mrc
