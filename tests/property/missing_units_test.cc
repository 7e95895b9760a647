// Units of a list that never come, in whatever way the others are merged: mrc merge names exactly
// these, ends with status 3, and its rows are those of the units that are there.
#include "base/int.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mrc {
namespace {

using std::string;
using std::vector;

constexpr i64 kUnits = 7;  // of two bytes

#ifdef MRC_SANITIZED
constexpr int kRounds = 3;
#else
constexpr int kRounds = 12;
#endif

class MissingUnits : public testing::Test {
 protected:
  int run(const string &command) const {
    const int status =
        run_shell(fmt::format("cd {} && ({}) >out 2>err", folder_.path("."), command));
    return WEXITSTATUS(status);
  }
  string out() const { return folder_.read("out"); }
  bool says(const string &part) const { return folder_.read("err").find(part) != string::npos; }

  // Lines 0 to 6, each a unit, with partials N.mrs and N.txt.
  void list_and_map(const string &job) {
    folder_.write("x", "0\n1\n2\n3\n4\n5\n6\n");
    const string more = job == "sort" ? "--splitters 3 " : "";
    ASSERT_EQ(run("rm -f *.mrs *.txt; $MRC units --list --size 2 " + more + job + " x >job"), 0);
    ASSERT_EQ(run("grep -c ^unit job"), 0);
    ASSERT_EQ(out(), fmt::format("{}\n", kUnits));
    for (i64 i = 0; i < kUnits; ++i) {
      ASSERT_EQ(run(fmt::format("$MRC units --job job --unit {0} -o {0}.mrs && "
                                "$MRC units --job job --unit {0} >{0}.txt",
                                i)),
                0);
    }
  }
  // "2-3, 5"
  static string ranges_of(const vector<i64> &numbers) {
    vector<string> ranges;
    for (size_t i = 0, next; i < numbers.size(); i = next) {
      for (next = i + 1; next < numbers.size() && numbers[next] == numbers[next - 1] + 1;) ++next;
      ranges.push_back(next == i + 1 ? fmt::format("{}", numbers[i])
                                     : fmt::format("{}-{}", numbers[i], numbers[next - 1]));
    }
    return fmt::format("{}", fmt::join(ranges, ", "));
  }
  // The rows of these lines, by another program.
  string expected(const string &job, const vector<i64> &there) {
    string text;
    for (const i64 i : there) text += fmt::format("{}{}\n", i, job == "sort" ? "" : "\t1");
    return text;
  }
  string merge_command(const vector<i64> &there) {
    string files = fmt::format("{}.mrs", fmt::join(there, ".mrs "));
    switch (pick(random_, 0, 3)) {
      case 0: return "$MRC merge " + files;
      case 1: return fmt::format("cat {}.txt | sort -R | $MRC merge", fmt::join(there, ".txt "));
      case 2: return fmt::format("$MRC merge --once {0} {1}.mrs", files, there[0]);
      default:
        return fmt::format("$MRC merge --to partial -o m {}.mrs && $MRC merge m {}", there[0],
                           files.substr(files.find(".mrs") + 4));
    }
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(MissingUnits, AreNamed) {
  for (const string job : {"count", "sort"}) {
    list_and_map(job);
    for (int round = 0; round < kRounds && !HasFailure(); ++round) {
      vector<i64> there, missing;
      for (i64 i = 0; i < kUnits; ++i) (one_in(random_, 2) ? there : missing).push_back(i);
      if (there.empty()) continue;
      const string command = merge_command(there);
      SCOPED_TRACE(command);
      EXPECT_EQ(run(command), missing.empty() ? 0 : 3) << folder_.read("err");
      EXPECT_EQ(out(), expected(job, there));
      const string named = fmt::format("{} {} of its list of 7 {} missing; map",
                                       missing.size() == 1 ? "unit" : "units", ranges_of(missing),
                                       missing.size() == 1 ? "is" : "are");
      EXPECT_EQ(says(named), !missing.empty()) << named << ": " << folder_.read("err");
      EXPECT_EQ(run(command + " --partial-ok"), 0) << folder_.read("err");
      EXPECT_EQ(says("left out"), !missing.empty());
      EXPECT_EQ(out(), expected(job, there));
    }
  }
}

// Each process that merges some ranges of a sort sees what is missing, and so does one that gets
// only the lines of some partitions, although it cannot tell.
TEST_F(MissingUnits, AreNamedWherePartitionsAreMergedApart) {
  list_and_map("sort");
  string rows;
  for (int range = 0; range < 3; ++range) {
    EXPECT_EQ(run(fmt::format("rm -f 4.mrs; $MRC merge --partitions {} *.mrs", range)), 3);
    EXPECT_TRUE(says("unit 4 of its list of 7 is missing")) << folder_.read("err");
    rows += out();
  }
  EXPECT_EQ(rows, expected("sort", {0, 1, 2, 3, 5, 6}));
  list_and_map("count");
  EXPECT_EQ(run("cat [012356].txt | sort -n >all; sed -n 1p all | $MRC merge --partitions some"),
            0);
  EXPECT_TRUE(says("have no states in these partitions, or are missing")) << folder_.read("err");
  EXPECT_EQ(
      run("for l in 1,3p 4,\\$p; do sed -n $l all | $MRC merge --partitions some --to partial; "
          "done | $MRC merge"),
      3);
  EXPECT_TRUE(says("unit 4 of its list of 7 is missing")) << folder_.read("err");
}

// Absences of another kind, in the same input.
TEST_F(MissingUnits, AreNotAllThatCanBeMissing) {
  list_and_map("count");
  EXPECT_EQ(run("head -n 5 job >cut; $MRC units --job cut --unit 0"), 2);
  EXPECT_TRUE(says("cut short"));
  EXPECT_EQ(run(": >0.mrs; $MRC merge *.mrs"), 2);
  EXPECT_TRUE(says("has no partial in it"));
  EXPECT_EQ(run("$MRC merge --partitions 0-255 *.mrs"), 2);
  EXPECT_TRUE(says("has no partial in it"));
  EXPECT_EQ(run("rm -f 0.mrs; $MRC merge 0.mrs 1.mrs"), 2);
  EXPECT_EQ(
      run("seq 20 >y; $MRC count --to partial y | sed 1d >l; $MRC merge --partitions 0-255 l"), 2);
  EXPECT_TRUE(says("are missing; all lines of a partial are needed"));
}

}  // namespace
}  // namespace mrc
