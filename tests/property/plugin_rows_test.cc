// Rows that a plugin prints by itself (`format` of a job), in its own form and in those of mrc.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mrc {
namespace {

using std::string;

// Lines 100 to 119; line i occurs (i % 5) + 1 times.
string repeated_lines() {
  string text;
  for (int i = 100; i < 120; ++i) {
    for (int n = i % 5; n >= 0; --n) text += std::to_string(i) + "\n";
  }
  return text;
}

class PrintedRows : public testing::TestWithParam<const char *> {
 protected:
  PrintedRows() { folder_.write("in", repeated_lines()); }
  // Complaints are notes of rounds, and no errors.
  string run(const string &words) const {
    const string command = "$MRC run --force-plugin " MRC_TEST_PLUGINS "/" + words + " " +
                           GetParam() + " " + folder_.path("in");
    EXPECT_EQ(run_shell(command + " >" + folder_.path("out") + " 2>" + folder_.path("err")), 0)
        << command << "\n"
        << folder_.read("err");
    EXPECT_EQ(folder_.read("err").find("error"), string::npos) << folder_.read("err");
    return folder_.read("out");
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Ways, PrintedRows,
                         testing::Values("-j1", "-j8 --split 7", "-j2 --memory 64K --split 7",
                                         "-j2 --engine hot=0"));

// "formatted" prints nothing for a line that occurs four times.
TEST_P(PrintedRows, AreAllThatTopCounts) {
  EXPECT_EQ(run("every_job.so formatted --top 5"),
            "104=5\n109=5\n114=5\n119=5\n102=3\n102=3\n102=3\n");
  EXPECT_EQ(run("every_job.so formatted --by key --asc --top 4"),
            "100=1\n101=2\n101=2\n102=3\n102=3\n102=3\n104=5\n");
}

TEST_P(PrintedRows, AreThoseOfAllFormats) {
  EXPECT_EQ(run("every_job.so formatted --to csv --header-out no --top 5"),
            "104,5\n109,5\n114,5\n119,5\n102,3\n");
  const string all = run("every_job.so formatted --to csv --header-out no");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 16);
  EXPECT_EQ(all.find(",4\n"), string::npos);
  EXPECT_EQ(run("every_job.so formatted --header-out no -o " + folder_.path("rows.csv")), "");
  EXPECT_EQ(folder_.read("rows.csv"), all);
}

TEST_P(PrintedRows, AreDroppedWhenRoundsHaveSeenThem) {
  if (string(GetParam()).find("memory") != string::npos) return;  // rounds want all rows in it
  EXPECT_EQ(run("printing.so odd --by key --asc --top 4"), "20 rows\n100\n102\n104\n105\n");
  EXPECT_EQ(run("printing.so odd --top 5"), "20 rows\n104\n109\n114\n119\n102\n");
  EXPECT_EQ(run("printing.so odd --to csv --header-out no --top 5"),
            "20 rows\n104,5\n109,5\n114,5\n119,5\n102,3\n");
}

TEST_P(PrintedRows, HaveTheColumnsOfTheirHeaderInAllFormats) {
  if (string(GetParam()).find("memory") != string::npos) return;
  const string job = "printing.so ranked --by key --asc --top 2 ";
  EXPECT_EQ(run(job), "100\t1.5e-1\t\"x\"\n01\n102\t5.5e-1\t\"x\"\n03\n");
  EXPECT_EQ(run(job + "--to json"),
            "{\"line\":100,\"rank\":1.5e-1,\"note\":\"\\\"x\\\"\"}\n"
            "{\"line\":\"01\",\"rank\":\"\",\"note\":\"\"}\n"
            "{\"line\":102,\"rank\":5.5e-1,\"note\":\"\\\"x\\\"\"}\n"
            "{\"line\":\"03\",\"rank\":\"\",\"note\":\"\"}\n");
  EXPECT_EQ(run(job + "--to csv"),
            "line,rank,note\n100,1.5e-1,\"\"\"x\"\"\"\n01,,\n102,5.5e-1,\"\"\"x\"\"\"\n03,,\n");
}

// Before the answer what is printed until then, after it the rest.
TEST_P(PrintedRows, DoNotSwallowWhatAPluginPrintsItself) {
  const string all = run("printing.so loud");
  string maps, formats, rows;
  for (int i = 0; i < 60; ++i) maps += "map\n";
  for (int i = 0; i < 20; ++i) formats += "format\n", rows += "a row\n";
  EXPECT_EQ(all, "open\n" + maps + rows + formats + "close\n");
}

TEST(PluginJobs, CountTheRowsThatTheyPrint) {
  TemporaryFolder folder;
  folder.write("in", repeated_lines());
  EXPECT_EQ(
      run_shell("$MRC run --force-plugin " MRC_TEST_PLUGINS "/every_job.so formatted --stats " +
                folder.path("in") + " 2>" + folder.path("err") + " >/dev/null"),
      0);
  const string said = folder.read("err");
  EXPECT_NE(said.find("result  20 keys from "), string::npos) << said;
  EXPECT_NE(said.find(" 16 rows written"), string::npos) << said;
}

}  // namespace
}  // namespace mrc
