// Commands that print inputs, and die, or still run when nothing reads on.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

using std::string;

// What has ended may still have to be reaped by the process that adopts it.
bool is_running(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  string text;
  return std::getline(file, text) && text.find(") Z") == text.npos;
}

class InputCommandFaults : public testing::Test {
 protected:
  // The processes that have written their numbers there.
  std::vector<pid_t> started() const {
    std::istringstream text(folder_.read("started"));
    std::vector<pid_t> all;
    for (pid_t process; text >> process;) all.push_back(process);
    return all;
  }
  bool all_have_ended() const { return std::ranges::none_of(started(), is_running); }
  // Runs mrc in the folder. Returns its exit status.
  int run(const string &arguments) const {
    const string command =
        fmt::format("cd {} && timeout 60 $MRC {} >out 2>err", folder_.path("."), arguments);
    return WEXITSTATUS(run_shell(command));
  }

  const TemporaryFolder folder_;
};

TEST_F(InputCommandFaults, ACommandThatIsKilledHalfWayIsNamed) {
  folder_.write("started", "");
  Background job(
      fmt::format("$MRC count -j2 -o {0}/out --input-cmd 'echo $$ >>{0}/started; echo "
                  "{{}}; exec sleep 1000' a 2>{0}/err",
                  folder_.path(".")));
  ASSERT_TRUE(wait_until("commands have started", [&] { return started().size() == 1; }));
  kill(started()[0], SIGKILL);
  EXPECT_EQ(WEXITSTATUS(job.wait()), 3);
  EXPECT_EQ(folder_.read("out"), "a\t1\n");
  const string said = folder_.read("err");
  EXPECT_TRUE(said.starts_with("mrc: error: a: echo $$")) << said;
  EXPECT_TRUE(said.ends_with("sleep 1000: Killed\n")) << said;
}

// Each of them waits for the others.
TEST_F(InputCommandFaults, CommandsRunAtTheSameTime) {
  for (const char *job : {"count", "grep ''", "sort", "stats -f lines -a count"}) {
    EXPECT_EQ(
        run(fmt::format("{} -j3 --input-cmd ': >{{}}; until [ -e 1 ] && [ -e 2 ] && [ -e 3 ]; do "
                        "sleep 0.01; done; echo {{}}' 1 2 3; status=$?; rm 1 2 3; exit $status",
                        job)),
        0)
        << job;
  }
}

// The reader of the text goes, or enough has been found.
TEST_F(InputCommandFaults, WhatIsNotReadOnIsEndedAndNoFailure) {
  for (const char *job : {"grep -m 1 y --input-cmd", "grep --top 1 y --input-cmd",
                          "select -f lines -k 1 --top 1 --input-cmd", "fields --input-cmd"}) {
    folder_.write("started", "");
    EXPECT_EQ(run(fmt::format("{} 'echo $$ >>started; exec yes' y y", job)), 0) << job;
    EXPECT_EQ(folder_.read("err"), "") << job;
    EXPECT_TRUE(all_have_ended()) << job;
  }
  folder_.write("started", "");
  EXPECT_EQ(run("grep y --input-cmd 'echo $$ >>started; exec yes' y | head -n 1"), 0);
  EXPECT_EQ(folder_.read("err"), "");
  EXPECT_TRUE(all_have_ended());
}

TEST_F(InputCommandFaults, NothingGoesOnAfterMrcIsKilled) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    folder_.write("started", "");
    Background job(fmt::format("$MRC count -j2 --input-cmd 'echo $$ >>{0}/started; exec yes' a b",
                               folder_.path(".")));
    ASSERT_TRUE(wait_until("commands have started", [&] { return started().size() == 2; }));
    job.send(signal);
    EXPECT_EQ(WTERMSIG(job.wait()), signal);
    EXPECT_TRUE(wait_until("all have ended", [&] { return all_have_ended(); }));
  }
}

TEST_F(InputCommandFaults, AJobThatFailsEndsItsCommands) {
  folder_.write("started", "");
  EXPECT_EQ(
      run("stats -f csv -a sum:b --strict --input-cmd 'echo $$ >>started; echo a,b; echo bad; "
          "exec yes 1,x' x y"),
      2);
  EXPECT_TRUE(all_have_ended());
}

// Some programs that start others leave it so.
TEST_F(InputCommandFaults, AFailureIsSeenEvenIfTheParentIgnoresItsChildren) {
  EXPECT_EQ(WEXITSTATUS(run_shell("(trap '' CHLD; exec $MRC count --input-cmd 'echo; exit 5' a "
                                  ">/dev/null 2>&1)")),
            3);
}

}  // namespace
}  // namespace mrc
