// Runs that are reduced while others map: each switch changes what is counted, and none the answer.
#include "engine/engine.h"
#include "engine/inner/program.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <set>

namespace mrc {
namespace {

class EagerJob : public testing::Test {
 protected:
  EagerJob() {
    write_input(200'000);
    program_.output = folder_.path("out");
    program_.tmpdir = folder_.path(".");
    program_.threads = 2;
    program_.split_bytes = 20'000;
    program_.memory = i64{1} << 20;
    program_.switches.hot_bytes = 0;  // all records are staged
    program_.switches.partition_bits = 3;
  }
  void write_input(i64 words) {
    std::string text;
    for (i64 i = 0; i < words; ++i) text += "w" + std::to_string(i * 7919 % 60'000) + " ";
    program_.inputs = {folder_.write("a", text)};
  }
  Report run_job() {
    Result<Report> report = run(program_, make_plan(program_), &silent_);
    EXPECT_TRUE(report.is_ok()) << report.status().message();
    answers_.insert(folder_.read("out"));
    return report.is_ok() ? *report : Report();
  }
  EagerCounts counts_of(const char *switches) {
    const Switches before = program_.switches;
    EXPECT_TRUE(set_switch(switches, &program_.switches).is_ok()) << switches;
    const EagerCounts counts = run_job().eager;
    program_.switches = before;
    return counts;
  }
  // Whether the counts come to be so: when threads get a CPU is a matter of time.
  template <typename Condition>
  bool finds(const char *switches, Condition condition) {
    for (int tries = 0; tries < 10; ++tries) {
      if (condition(counts_of(switches))) return true;
    }
    return false;
  }
  void TearDown() override { EXPECT_EQ(answers_.size(), 1u); }

  TemporaryFolder folder_;
  SilentObserver silent_;
  Program program_;
  std::set<std::string> answers_;
};

TEST_F(EagerJob, LeavesRunsForReduceUnlessItIsAsked) {
  const Report report = run_job();
  EXPECT_GT(report.spilled_records, 0);
  EXPECT_EQ(report.eager.launches, 0);
  EXPECT_EQ(report.eager.refused, 0);
}

TEST_F(EagerJob, ReducesRuns) {
  write_input(2'000'000);
  EXPECT_TRUE(finds("runs=reduce,priority=normal", [](const EagerCounts &counts) {
    return counts.launches > 0 && counts.runs >= 4 && counts.left < counts.records;
  }));
}

TEST_F(EagerJob, SortsRuns) {
  write_input(2'000'000);
  EXPECT_TRUE(finds("runs=sort,priority=normal", [](const EagerCounts &counts) {
    return counts.launches > 0 && counts.left == counts.records;
  }));
}

TEST_F(EagerJob, HasAPriority) {
  write_input(2'000'000);
  EXPECT_TRUE(finds("runs=reduce,start=1", [](const auto &counts) { return counts.nice == 19; }));
  EXPECT_LT(counts_of("runs=reduce,start=1,priority=normal").nice, 19);
}

// There are about ten runs.
TEST_F(EagerJob, HasAThreshold) {
  write_input(1'000'000);
  program_.memory = i64{8} << 20;
  const EagerCounts many = counts_of("runs=reduce,start=32");
  EXPECT_EQ(many.launches + many.refused, 0);
  const EagerCounts one = counts_of("runs=reduce,start=1");
  EXPECT_GT(one.launches + one.refused, 0);
}

// The first chunk is more than a thousandth of a percent, and no run is there before it is mapped.
TEST_F(EagerJob, StopsBeforeTheEndOfTheInput) {
  write_input(2'000'000);
  const EagerCounts early = counts_of("runs=reduce,start=1,stop=0.001%,priority=normal");
  EXPECT_EQ(early.launches, 0);
  EXPECT_GT(early.refused, 0);
  EXPECT_TRUE(finds("runs=reduce,start=1,stop=100%,priority=normal",
                    [](const auto &counts) { return counts.launches > 0; }));
}

TEST_F(EagerJob, IsStaggered) {
  write_input(3'000'000);
  program_.memory = i64{32} << 20;
  EXPECT_LE(counts_of("runs=reduce,start=1,priority=normal").most_at_once, 1);
  EXPECT_TRUE(finds("runs=reduce,start=1,priority=normal,stagger=off",
                    [](const auto &counts) { return counts.most_at_once == 2; }));
}

TEST_F(EagerJob, PrintsTheSameWithAnyThreadsAndMemory) {
  const char *const variants[] = {"runs=wait", "runs=sort", "runs=reduce", "runs=reduce,eager=on",
                                  "runs=reduce,start=1,stop=100%,priority=normal,stagger=off"};
  for (const i64 threads : {1, 2, 4}) {
    program_.threads = threads;
    for (const i64 memory : {i64{1}, i64{1} << 20, i64{8} << 20}) {
      program_.memory = memory;
      for (const char *variant : variants) counts_of(variant);
    }
  }
}

// States that grow, and keys in tables.
TEST_F(EagerJob, KeepsLists) {
  program_.aggregation = positions_aggregation();
  program_.map.values = MapSpec::Values::byte;
  program_.switches.hot_bytes.reset();
  for (const i64 threads : {1, 4}) {
    program_.threads = threads;
    for (const char *variant : {"runs=wait", "runs=sort,start=1", "runs=reduce,start=1"}) {
      counts_of(variant);
    }
  }
}

}  // namespace
}  // namespace mrc
