// Mappers, reducers and combiners that fail.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace mrc {
namespace {

using std::string;

class MapFaults : public testing::Test {
 protected:
  // Runs a command in the folder. Returns its exit status.
  int run(const string &command) const {
    return WEXITSTATUS(
        run_shell(fmt::format("cd {} && {{ {}; }} >out 2>err", folder_.path("."), command)));
  }
  // Runs mrc map on a pipe that gives one record and then nothing for a minute. Returns its exit
  // status.
  int run_idle(const string &arguments) {
    const auto begin = std::chrono::steady_clock::now();
    const int status = run_shell(
        fmt::format("cd {} && rm -f pipe && mkfifo pipe && {{ (echo a; exec sleep 60) >pipe & "
                    "timeout 50 $MRC map {} pipe >out 2>err; status=$?; kill $!; exit $status; }}",
                    folder_.path("."), arguments));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 20) << arguments;
    return WEXITSTATUS(status);
  }

  TemporaryFolder folder_;
};

TEST_F(MapFaults, ACombinerThatIsKilledHalfWayIsNamed) {
  EXPECT_EQ(run("seq 1000 >n && $MRC map --map cat --combine 'read line; echo $line; kill -KILL "
                "$$' --sorted -j1 n"),
            3);
  EXPECT_EQ(folder_.read("out"), "1\n");
  const string said = folder_.read("err");
  EXPECT_TRUE(said.starts_with("mrc: error: combine: read line;")) << said;
  EXPECT_NE(said.find("Killed (the last it got: keys \"1\" to \"999\")"), string::npos) << said;
}

// One batch takes longer than a command may neither read nor print.
TEST_F(MapFaults, AMapperIsNotLateWhileItsLinesAreCombined) {
  EXPECT_EQ(run("yes a | head -n 150000 >n && $MRC map --map cat --combine 'mkdir slow "
                "2>/dev/null && for i in 1 2 3 4 5 6; do sleep 0.4; echo a; done; uniq' --reduce "
                "uniq --memory 4K --unit-timeout 1s -j1 n"),
            0);
  EXPECT_EQ(folder_.read("out"), "a\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(MapFaults, AJobEndsAfterItsOnlyCombinerHasFailed) {
  EXPECT_EQ(run("seq 300000 >n && timeout 50 $MRC map --map 'cat; sleep 60' --combine 'exit 4' "
                "--reduce cat -j1 --memory 4K n"),
            2);
  EXPECT_EQ(folder_.read("out"), "");
  EXPECT_NE(folder_.read("err").find("combine: exit 4: exit status 4"), string::npos);
}

TEST_F(MapFaults, ACommandThatFailsEndsTheWaitForAnIdlePipe) {
  EXPECT_EQ(run_idle("--map 'exit 3'"), 2);
  EXPECT_EQ(folder_.read("err"),
            "mrc: error: map: exit 3: exit status 3 (the last it got: pipe, bytes 0 to 1)\n");
  EXPECT_EQ(run_idle("--map 'read line; echo $line; kill -KILL $$' -j4"), 3);
  EXPECT_EQ(folder_.read("out"), "a\t1\n");
  EXPECT_NE(folder_.read("err").find("Killed"), string::npos);
}

TEST_F(MapFaults, AnIdlePipeIsLeftByACommandOfItsOwn) {
  EXPECT_EQ(run_idle("--map 'head -n 1' --each-split"), 0);
  EXPECT_EQ(folder_.read("out"), "a\t1\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(MapFaults, ACommandThatFailsInAllProcessesIsNamedOnce) {
  EXPECT_EQ(run("seq 300000 >n && $MRC map --map 'exit 3' -j4 --split 20K n"), 2);
  const string said = folder_.read("err");
  EXPECT_NE(said.find("map: exit 3: exit status 3"), string::npos) << said;
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
}

TEST_F(MapFaults, OtherCommandsGoOnAfterOneHasFailed) {
  EXPECT_EQ(run_shell(fmt::format(
                "cd {} && seq 300000 >n && mkdir first && $MRC map -j2 --map 'rmdir first "
                "2>/dev/null && exit 3; cat' --reduce 'wc -l' n >out 2>err",
                folder_.path("."))),
            3 << 8);
  EXPECT_NE(folder_.read("err").find("exit status 3"), string::npos);
}

}  // namespace
}  // namespace mrc
