#include "base/names.h"
#include "engine/engine.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mrc {
namespace {

class Noted : public Observer {
 public:
  void complain(const std::string &message) override { complaints.push_back(message); }
  void progress(i64 bytes, i64 total) override {
    EXPECT_TRUE(total == 0 || bytes <= total) << bytes << " of " << total;
    last = bytes;
  }
  void writing() override { ++writings; }

  std::vector<std::string> complaints;
  i64 last = 0;
  int writings = 0;
};

class Pipeline : public testing::Test {
 protected:
  Pipeline() { program_.output = folder_.path("out"); }

  Result<Report> run_program() { return run(program_, make_plan(program_), &noted_); }

  TemporaryFolder folder_;
  Program program_;
  Noted noted_;
};

TEST_F(Pipeline, CountsWordsOfAllInputs) {
  program_.inputs = {folder_.write("a", "b a"),
                     folder_.write("b", "a c")};  // "a" and "a" stay apart
  Result<Report> report = run_program();
  ASSERT_TRUE(report.is_ok());
  EXPECT_EQ(folder_.read("out"), "a\t2\nb\t1\nc\t1\n");
  EXPECT_FALSE(report->partial);
  EXPECT_FALSE(report->abandoned);
  EXPECT_EQ(report->bytes, 6);
  EXPECT_EQ(report->records, 4);
  EXPECT_EQ(report->keys, 3);
  EXPECT_EQ(report->rows, 3);
  EXPECT_EQ(noted_.writings, 1);
}

TEST_F(Pipeline, TimesItsPhasesInOrder) {
  program_.inputs = {folder_.write("a", "a")};
  Result<Report> report = run_program();
  ASSERT_TRUE(report.is_ok());
  std::string names;
  for (const Phase &phase : report->phases) {
    names += phase.name + " ";
    EXPECT_GE(phase.wall, 0);
  }
  EXPECT_EQ(names, "open map reduce sort write ");
}

TEST_F(Pipeline, WritesAnEmptyAnswerForEmptyInput) {
  program_.inputs = {folder_.write("a", "")};
  Result<Report> report = run_program();
  ASSERT_TRUE(report.is_ok());
  EXPECT_EQ(report->rows, 0);
  EXPECT_EQ(folder_.files(), 2);
  EXPECT_EQ(folder_.read("out"), "");
}

TEST_F(Pipeline, AnswersInPartWhereInputIsMissing) {
  program_.inputs = {folder_.write("a", "a"), folder_.path("none"), folder_.write("gone", "b")};
  const Plan plan = make_plan(program_);
  unlink(folder_.path("gone").c_str());
  Result<Report> report = run(program_, plan, &noted_);
  ASSERT_TRUE(report.is_ok());
  EXPECT_TRUE(report->partial);
  EXPECT_EQ(folder_.read("out"), "a\t1\n");
  EXPECT_EQ(noted_.complaints,
            std::vector<std::string>{folder_.path("gone") + ": No such file or directory"});
}

TEST_F(Pipeline, FailsWithoutAPlaceForTheOutput) {
  program_.inputs = {folder_.write("a", "a")};
  for (const char *path : {"none/out", "", "/dev/full"}) {
    program_.output = path[0] == '/' ? path : folder_.path(path);
    EXPECT_FALSE(run_program().is_ok()) << program_.output;
  }
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(Pipeline, MayWriteToItsInput) {
  program_.inputs = {folder_.write("a", "b a b")};
  program_.output = folder_.path("a");
  ASSERT_TRUE(run_program().is_ok());
  EXPECT_EQ(folder_.read("a"), "a\t1\nb\t2\n");
}

TEST_F(Pipeline, KeepsTheFirstRowsOfTheOrder) {
  program_.inputs = {folder_.write("a", "x y z y z z w")};
  program_.order = {.column = 0, .descending = true, .limit = 3};
  Result<Report> report = run_program();
  ASSERT_TRUE(report.is_ok());
  EXPECT_EQ(folder_.read("out"), "z\t3\ny\t2\nw\t1\n");
  EXPECT_EQ(report->keys, 4);
  EXPECT_EQ(report->rows, 3);
}

// The switch changes what is counted, and not the answer.
TEST_F(Pipeline, SharesRareKeysAmongWorkers) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "w" + std::to_string(i * 7919 % 5000) + " ";
  program_.inputs = {folder_.write("a", text)};
  program_.threads = 4;
  program_.split_bytes = 1000;
  program_.switches.hot_bytes = 0;
  program_.switches.partition_bits = 0;  // so that a worker folds records soon
  std::string answers[3];
  const std::optional<i64> shares[] = {0, i64{1} << 30, 1000};
  Report reports[3];
  for (size_t i = 0; i < 3; ++i) {
    program_.switches.share_bytes = shares[i];
    Result<Report> report = run_program();
    ASSERT_TRUE(report.is_ok());
    reports[i] = *report;
    answers[i] = folder_.read("out");
  }
  EXPECT_EQ(reports[0].shared_records, 0);
  EXPECT_EQ(reports[0].staged_records, 20000);
  EXPECT_EQ(reports[1].shared_records, 20000);
  EXPECT_EQ(reports[1].staged_records, 0);
  EXPECT_LT(reports[2].shared_records, 20000) << "it was closed";
  EXPECT_GT(reports[2].staged_records, 0);
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

// A table that may be small begins with few slots, and is used.
TEST_F(Pipeline, FreezesTablesAtTheSizeAskedFor) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "w" + std::to_string(i * 7919 % 50000) + " ";
  program_.inputs = {folder_.write("a", text)};
  program_.threads = 1;
  program_.switches.drift = program_.switches.bypass = false;
  std::set<std::string> answers;
  for (const i64 size : {i64{64} << 10, i64{100'000}, i64{1} << 20, i64{0}}) {
    program_.switches.hot_bytes = size;
    Result<Report> report = run_program();
    ASSERT_TRUE(report.is_ok());
    answers.insert(folder_.read("out"));
    EXPECT_LE(report->tables.bytes, size);
    EXPECT_GE(report->tables.keys, size / 256) << size;
    EXPECT_LE(report->staged_records, 200000 - report->tables.keys);
  }
  EXPECT_EQ(answers.size(), 1u);
}

// Phoenix's buckets: as many tasks of reduce, and as many places in a table, as are asked for.
TEST_F(Pipeline, HasAsManyPartitionsAndBucketsAsAskedFor) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "w" + std::to_string(i % 100) + " ";
  program_.inputs = {folder_.write("a", text)};
  program_.threads = 1;
  std::set<std::string> answers;
  const auto run_with = [&](std::optional<i64> bits, std::optional<i64> buckets) {
    program_.switches.partition_bits = bits;
    program_.switches.buckets = buckets;
    Result<Report> report = run_program();
    EXPECT_TRUE(report.is_ok());
    answers.insert(folder_.read("out"));
    return *report;
  };
  EXPECT_EQ(run_with({}, {}).partitions, 1);
  EXPECT_EQ(run_with(12, {}).partitions, 4096);
  EXPECT_EQ(run_with({}, {}).tables.slots, 4096);
  EXPECT_EQ(run_with({}, 1 << 15).tables.slots, 1 << 15);
  program_.container = find_named<ContainerType>(all_containers(), "hashtree");
  EXPECT_EQ(run_with({}, {}).tables.slots, 3 * 1024);
  EXPECT_EQ(run_with({}, 50).tables.slots, 3 * 50) << "for each class of keys";
  EXPECT_EQ(answers.size(), 1u);
}

// Phoenix's groups of CPUs: each is a MapReduce of its own, if that is asked for.
TEST_F(Pipeline, ReducesGroupsOfCpusApartIfAsked) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "word" + std::to_string(i * 7919 % 20000) + " ";
  program_.inputs = {folder_.write("a", text)};
  program_.split_bytes = 1000;
  const Topology four({{{0}}, {{1}}, {{2}}, {{3}}}), one({{{0, 1, 2, 3}}});
  std::set<std::string> answers;
  for (const i64 threads : {1, 4, 7}) {
    program_.threads = threads;
    for (const bool apart : {false, true}) {
      program_.switches.groups_apart = apart;
      for (const Topology *topology : {&one, &four}) {
        Result<Report> report = run(program_, make_plan(program_, topology), &noted_);
        ASSERT_TRUE(report.is_ok());
        const bool expected = apart && topology == &four;
        EXPECT_EQ(report->apart, expected ? 4 * report->partitions : 0);
        EXPECT_EQ(report->keys, 20000);
        answers.insert(folder_.read("out"));
      }
    }
  }
  EXPECT_EQ(answers.size(), 1u);
}

TEST_F(Pipeline, CountsEverySplitAsLocalOrStolen) {
  program_.inputs = {folder_.write("a", std::string(5000, '\n'))};
  program_.threads = 4;
  program_.split_bytes = 50;
  const Topology one({{{0, 1, 2, 3}}}), four({{{0}}, {{1}}, {{2}}, {{3}}});
  for (const Topology *topology : {&one, &four}) {
    const Plan plan = make_plan(program_, topology);
    Result<Report> report = run(program_, plan, &noted_);
    ASSERT_TRUE(report.is_ok());
    EXPECT_EQ(report->splits, std::ssize(plan.splits));
    EXPECT_GE(report->stolen, 0);
    EXPECT_LE(report->stolen, topology == &one ? 0 : report->splits);
  }
}

TEST_F(Pipeline, CountsBytesByMemoryNodesIfThereAreSeveral) {
  program_.inputs = {folder_.write("a", std::string(1 << 20, '\n'))};
  program_.threads = 2;
  program_.split_bytes = 1 << 16;
  const Topology one_node({{{0}, 0}, {{1}, 0}}), two_nodes({{{0}, 0}, {{1}, 1}});
  for (const bool by_pages : {true, false}) {
    program_.switches.by_pages = by_pages;
    Result<Report> report = run(program_, make_plan(program_, &one_node), &noted_);
    ASSERT_TRUE(report.is_ok());
    EXPECT_EQ(report->placed_bytes, 0);
    report = run(program_, make_plan(program_, &two_nodes), &noted_);
    ASSERT_TRUE(report.is_ok());
    EXPECT_TRUE(report->placed_bytes == 1 << 20 || report->placed_bytes == 0)
        << "all is in memory, or the kernel does not tell where";
    EXPECT_LE(report->near_bytes, report->placed_bytes);
  }
}

TEST_F(Pipeline, LeavesTheCallerWhereItWasAfterPinning) {
  program_.inputs = {folder_.write("a", "a b c")};
  program_.split_bytes = 1;
  program_.pin = true;
  const std::vector<i64> before = allowed_cpus();
  ASSERT_TRUE(run_program().is_ok());
  EXPECT_EQ(folder_.read("out"), "a\t1\nb\t1\nc\t1\n");
  EXPECT_EQ(allowed_cpus(), before);
}

// The seed of the hash decides where keys lie, and must not show.
TEST_F(Pipeline, AnswersTheSameForEverySeedAndNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 30000; ++i)
    text += std::to_string(i % 12000) + (i % 7 == 0 ? "\n" : "-and a longer key\n");
  program_.map.records = MapSpec::Records::lines;
  program_.inputs = {folder_.write("a", text)};
  program_.split_bytes = 10000;
  std::string first;
  for (u64 seed : {0, 1, 2}) {
    for (i64 threads : {1, 2, 7}) {
      program_.seed = Seed{seed * 0x9E3779B97F4A7C15, ~seed};
      program_.threads = threads;
      ASSERT_TRUE(run_program().is_ok());
      if (first.empty()) first = folder_.read("out");
      EXPECT_TRUE(folder_.read("out") == first) << seed << " " << threads;
    }
  }
}

}  // namespace
}  // namespace mrc
