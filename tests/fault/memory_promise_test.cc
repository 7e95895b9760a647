// --memory SIZE: the process stays below SIZE plus 64 MB, whatever it computes, of however
// many keys and values and by however many threads, and prints the same as without it.
//
// With MRC_MEMORY_TABLE=all there are four times as many values, and more sizes and numbers of
// threads; `make check-memory` does that.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;

// A key that all lines share, a text and a number that all lines differ in.
string many_values(unsigned lines, const string &shared = "one ") {
  string text;
  for (unsigned i = 0; i < lines; ++i) {
    const string number = std::to_string(i * 2654435761u % 10000019);
    text += shared + "v" + number + " " + number + "\n";
  }
  return text;
}

bool wants_all() { return getenv("MRC_MEMORY_TABLE") != nullptr; }
std::vector<int> sizes() { return wants_all() ? std::vector<int>{16, 64} : std::vector<int>{16}; }
std::vector<int> threads() {
  return wants_all() ? std::vector<int>{2, 8, 32} : std::vector<int>{8};
}

class MemoryPromise : public testing::TestWithParam<const char *> {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    folder_->write("in", many_values(wants_all() ? 4000000 : 1000000));
    if (wants_all()) folder_->write("unshared", many_values(4000000, ""));
  }
  static void TearDownTestSuite() { delete folder_; }

  // The longest list of index is in memory as a whole, and is exempt: see mrc(1).
  static string input() { return wants_all() && string(GetParam()) == "index" ? "unshared" : "in"; }

  // The peak in MiB. REQUIRES: succeeds
  static int run(const string &arguments, const string &output) {
    const string command = string(MRC_BINARY) + " " + GetParam() + " " + arguments + " " +
                           folder_->path(input()) + " > " + folder_->path(output);
    Background mrc(command);
    rusage usage{};
    EXPECT_EQ(mrc.wait(&usage), 0) << command;
    return static_cast<int>(usage.ru_maxrss / 1024);
  }

  inline static TemporaryFolder *folder_;
};

TEST_P(MemoryPromise, IsKept) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  run("-j2", "expected");
  for (int size : sizes()) {
    for (int j : threads()) {
      SCOPED_TRACE(std::to_string(size) + "M -j" + std::to_string(j));
      const int peak = run("--memory " + std::to_string(size) + "M -j" + std::to_string(j), "out");
      EXPECT_LE(peak, size + 64);
      EXPECT_EQ(run_shell("cmp -s " + folder_->path("out") + " " + folder_->path("expected")), 0)
          << "the answer is another";
    }
  }
}

// The values of a group are read in one piece from a partial; here these take up to 15 MB.
class MemoryOfMerges : public testing::TestWithParam<const char *> {};

TEST_P(MemoryOfMerges, IsWithinThePromise) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  const TemporaryFolder folder;
  folder.write("a", many_values(1000000) + many_values(300000, "two "));
  folder.write("b", many_values(1200000, "two "));
  const string stats = string(MRC_BINARY) + " stats -f fields -k 1 -a " + GetParam() + " ";
  for (const string each : {"a", "b"}) {
    const string command =
        stats + folder.path(each) + " --to partial -o " + folder.path("p" + each);
    ASSERT_EQ(run_shell(command), 0);
  }
  const string both = stats + folder.path("a") + " " + folder.path("b") + " > ";
  ASSERT_EQ(run_shell(both + folder.path("expected")), 0);
  Background merge(string(MRC_BINARY) + " merge --memory 16M -j4 " + folder.path("pa") + " " +
                   folder.path("pb") + " > " + folder.path("out"));
  rusage usage{};
  EXPECT_EQ(merge.wait(&usage), 0);
  EXPECT_LE(usage.ru_maxrss / 1024, 16 + 64);
  EXPECT_EQ(run_shell("cmp -s " + folder.path("out") + " " + folder.path("expected")), 0)
      << "the answer is another";
}

INSTANTIATE_TEST_SUITE_P(OfTwoKeys, MemoryOfMerges,
                         testing::Values("distinct:2", "unique:2", "mode:2,antimode:2,top5:2",
                                         "p50:3,p99:3"));

// Tables, batches and buffers have room for states and values of many aggregates.
class MemoryOfAggregates : public testing::TestWithParam<int> {
 protected:
  // `rows` of as many numbers as there are aggregates, 1,000 at most; each row has its own key.
  static string table(int rows, int columns) {
    string text = "k";
    for (int c = 0; c < columns; ++c) text += ",c" + std::to_string(c);
    for (unsigned r = 0; r < static_cast<unsigned>(rows); ++r) {
      text += "\nkey" + std::to_string(r);
      for (unsigned c = 0; c < static_cast<unsigned>(columns); ++c) {
        text += "," + std::to_string((r * 7919 + c * 104729) % 1000);
      }
    }
    return text + "\n";
  }
  // All functions in turn, or one.
  static string aggregates(int count, const string &only) {
    const std::vector<string> functions = {
        "sum", "mean",     "min",    "max",  "range", "stddev", "first",     "last", "median",
        "p99", "distinct", "unique", "mode", "hist",  "top5",   "distinct~", "p50~", "antimode"};
    string list;
    for (int i = 0; i < count; ++i) {
      const string &function =
          only.empty() ? functions[static_cast<size_t>(i) % functions.size()] : only;
      list += (i > 0 ? "," : "") + function + ":c" + std::to_string(i);
    }
    return list;
  }
  // The peak in MiB. REQUIRES: succeeds
  int run(const string &list, const string &options, const string &output) {
    const string command = string(MRC_BINARY) + " stats -f csv --header-in yes -k k -a " + list +
                           " --split 64K " + options + " " + folder_.path("in") + " > " +
                           folder_.path(output);
    Background mrc(command);
    rusage usage{};
    EXPECT_EQ(mrc.wait(&usage), 0) << command.substr(0, 200);
    return static_cast<int>(usage.ru_maxrss / 1024);
  }
  void check(const string &list) {
    run(list, "-j1", "expected");
    for (int j : {1, 4, 16}) {
      SCOPED_TRACE("-j" + std::to_string(j));
      EXPECT_LE(run(list, "--memory 16M -j" + std::to_string(j), "out"), 16 + 64);
      EXPECT_EQ(run_shell("cmp -s " + folder_.path("out") + " " + folder_.path("expected")), 0)
          << "the answer is another";
    }
  }

  TemporaryFolder folder_;
};

TEST_P(MemoryOfAggregates, IsWithinThePromise) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  for (const int rows : {50, 20000 / GetParam()}) {
    folder_.write("in", table(rows, GetParam()));
    for (const string only : {"", "sum"}) {
      SCOPED_TRACE(std::to_string(rows) + " rows " + only);
      check(aggregates(GetParam(), only));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfSo, MemoryOfAggregates, testing::Values(1, 30, 200, 1000));

INSTANTIATE_TEST_SUITE_P(OfOneKey, MemoryPromise,
                         testing::Values("stats -f fields -k 1 -a distinct:2",
                                         "stats -f fields -k 1 -a unique:2",
                                         "stats -f fields -k 1 -a unique:2 --to json",
                                         "stats -f fields -k 1 -a unique:2 --to csv",
                                         "stats -f fields -k 1 -a mode:2,antimode:2,top5:2",
                                         "stats -f fields -k 1 -a hist:3",
                                         "stats -f fields -k 1 -a p50:3,p99:3,median:3",
                                         "stats -f fields -a distinct:2,unique:3,p1:3",
                                         "stats -f fields -a distinct~:2,p50~:3,first:2,last:2",
                                         "stats -f fields -a sum:3,mean:3,stddev:3",
                                         "hist 3 -f fields"));
INSTANTIATE_TEST_SUITE_P(
    OfManyKeys, MemoryPromise,
    testing::Values("stats -f fields -k 2 -a distinct:3,unique:3,p50:3,first:3 --total",
                    "stats -f fields -k 3 -a sum:3,stddev:3,distinct~:2,p50~:3 --total",
                    "stats -f fields -k 2 -a mode:3 --by mode:3 --top 10", "count",
                    "count -f fields -k 2", "wordcount", "wordcount --tile 1M",
                    "count -f fields -k 2 --tile 300K", "distinct --stable",
                    "distinct -c -f fields -k 2", "sort", "sort -k 3:num", "index", "grep 7",
                    "select -f fields -k 2"));

}  // namespace
}  // namespace mrc
