#include "engine/engine.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

class Planning : public testing::Test {
 protected:
  std::string value(const Plan &plan, const std::string &name) {
    for (const Decision &decision : plan.decisions) {
      if (decision.name == name) return decision.value;
    }
    return "no decision";
  }

  TemporaryFolder folder_;
  Program program_;
};

TEST_F(Planning, ListsInputsInTheOrderGiven) {
  program_.inputs = {folder_.write("b", "12345"), folder_.write("empty", ""),
                     folder_.write("a", "123"), folder_.path("b")};
  const Plan plan = make_plan(program_);
  ASSERT_EQ(plan.sources.size(), 4u);
  EXPECT_EQ(plan.sources[0].path, folder_.path("b"));
  EXPECT_EQ(plan.sources[2].path, folder_.path("a"));
  EXPECT_EQ(plan.input_bytes, 13);
  EXPECT_EQ(plan.streams, 1);
  EXPECT_TRUE(value(plan, "input").starts_with("13 bytes in ")) << value(plan, "input");
}

TEST_F(Planning, LeavesOutWhatCannotBeRead) {
  program_.inputs = {folder_.path("none"), folder_.write("a", "123"), folder_.path("")};
  const Plan plan = make_plan(program_);
  EXPECT_EQ(plan.sources.size(), 1u);
  EXPECT_EQ(plan.unreadable, (std::vector<std::string>{
                                 folder_.path("none") + ": No such file or directory",
                                 folder_.path("") + ": is a directory; name the files in it"}));
}

TEST_F(Planning, ReadsStandardInputOnce) {
  program_.inputs = {"-", folder_.write("a", "123"), "-"};
  EXPECT_EQ(make_plan(program_).sources.size(), 2u);
}

TEST_F(Planning, HasNoMoreWorkersThanSplits) {
  program_.inputs = {folder_.write("a", std::string(1000, 'x'))};
  program_.threads = 8;
  EXPECT_EQ(make_plan(program_).workers, 1);
  program_.split_bytes = 400;
  Plan plan = make_plan(program_);
  EXPECT_EQ(plan.workers, static_cast<i64>(plan.splits.size()));
  EXPECT_LT(plan.workers, 8);
  program_.split_bytes = 10;
  EXPECT_EQ(make_plan(program_).workers, 8);
  program_.threads.reset();
  EXPECT_EQ(make_plan(program_).workers, available_cpus());
}

TEST_F(Planning, HasAllWorkersForStreams) {
  program_.inputs = {"/dev/null"};
  program_.threads = 8;
  EXPECT_EQ(make_plan(program_).workers, 8);
}

TEST_F(Planning, DoesWhatWasAsked) {
  program_.inputs = {folder_.write("a", std::string(1000, 'x'))};
  Plan plan = make_plan(program_);
  EXPECT_EQ(plan.io, IoMode::read);
  EXPECT_EQ(plan.scanner, &best_scanner());
  EXPECT_EQ(plan.splits.size(), 1u);
  program_.io = IoMode::mmap;
  program_.split_bytes = 100;
  plan = make_plan(program_);
  EXPECT_EQ(plan.io, IoMode::mmap);
  EXPECT_EQ(value(plan, "io"), "mmap");
  EXPECT_EQ(plan.splits[0].end, 100);
}

TEST_F(Planning, IsExplainedDecisionByDecision) {
  program_.inputs = {folder_.write("a", "123")};
  program_.order = {.column = 0, .limit = 10};
  Plan plan = make_plan(program_);
  std::string text = explain(program_, plan);
  EXPECT_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')),
            plan.decisions.size() + 1);
  EXPECT_TRUE(text.starts_with("input    3 bytes in ")) << text;
  EXPECT_NE(text.find("\norder    by value, then key (the first 10 "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("output   standard output\n")) << text;
  program_.output = "answer";
  EXPECT_TRUE(explain(program_, plan).ends_with("output   answer, whole or not at all\n"));
}

TEST(Describing, AReportOfNothingDividesByNothing) {
  const std::string text = describe(Report());
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_EQ(text.find("inf"), std::string::npos) << text;
}

TEST(Describing, CountsBytesByMemoryNodesWhereTheyAreKnown) {
  Report report;
  EXPECT_EQ(describe(report).find("near "), std::string::npos);
  report.placed_bytes = 800;
  report.near_bytes = 700;
  const std::string text = describe(report);
  EXPECT_NE(
      text.find("\nnear    700 of 800 bytes were on the memory node of their reader: 87.5 %\n"),
      std::string::npos)
      << text;
}

TEST(Describing, AddsUpThePhases) {
  Report report;
  report.workers = 4;
  report.cpus = 2;
  report.phases = {{"map", 0.1, 0.15, 0.01, 0.01}, {"sort", 0.1, 0.04, 0}};
  const std::string text = describe(report);
  EXPECT_NE(text.find("map          100.0     150.0      10.0     20%     10%\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("sort         100.0      40.0       0.0     80%      0%\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("all          200.0     190.0      10.0     50%      5%\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace mrc
