// Chains whose answer or whose rows have no place, and that are ended: nothing stays.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mrc {
namespace {

using std::string;

class Chain : public testing::Test {
 protected:
  void write_input(int lines) {
    string text;
    for (int i = 0; i < lines; ++i) text += "line " + std::to_string(i * 7919) + "\n";
    in_.write("in", text);
  }
  // The exit status. Rows of the first stage do not fit in memory.
  int run(const string &chain, const string &rest = "") {
    return WEXITSTATUS(run_shell("$MRC " + chain + " -S 256K -T " + tmpdir_.path(".") + " " +
                                 in_.path("in") + " 2>" + in_.path("err") + rest));
  }

  TemporaryFolder in_, out_, tmpdir_;
};

TEST_F(Chain, ToAFullDeviceIsAnError) {
  write_input(50000);
  EXPECT_EQ(run("count then select -k line", " >/dev/full"), 2);
  EXPECT_EQ(in_.read("err"),
            "mrc: error: standard output: cannot write: No space left on device\n");
  EXPECT_EQ(tmpdir_.files(), 0);
}

TEST_F(Chain, EndsQuietlyWhenItsReaderLeaves) {
  write_input(200000);
  EXPECT_EQ(run("count then select -k line,count", " | head -1 >/dev/null"), 0);
  EXPECT_EQ(in_.read("err"), "");
  EXPECT_EQ(tmpdir_.files(), 0);
}

TEST_F(Chain, EndsInItsFirstStageWhenItsReaderLeaves) {
  ASSERT_EQ(mkfifo(in_.path("in").c_str(), 0600), 0);
  // No end of input comes: only the reader's leaving can end the chain.
  Background feeder("sh -c 'yes line >" + in_.path("in") + "'");
  Background mrc("sh -c '\"$MRC\" count " + in_.path("in") + " then count | sleep 0.2'");
  EXPECT_EQ(WEXITSTATUS(mrc.wait()), 0);
}

TEST_F(Chain, NeedsAFolderForRowsThatDoNotFit) {
  write_input(50000);
  EXPECT_EQ(WEXITSTATUS(run_shell("$MRC select -f lines -k 1 then count -S 64K -T " +
                                  tmpdir_.path("none") + " -o " + out_.path("answer") + " " +
                                  in_.path("in") + " 2>" + in_.path("err"))),
            2);
  EXPECT_EQ(in_.read("err"), "mrc: error: --tmpdir: " + tmpdir_.path("none") +
                                 ": No such file or directory; name a directory that can be "
                                 "written to\n");
  EXPECT_EQ(out_.files(), 0);
}

TEST_F(Chain, HasNoOutputIfAStageFails) {
  write_input(10);
  EXPECT_EQ(run("select -f lines -k 1 then stats --strict -a sum:1 -o " + out_.path("answer")), 2);
  EXPECT_EQ(out_.files(), 0);
  EXPECT_EQ(run("stats --strict -f lines -a sum:1 then count -o " + out_.path("answer")), 2);
  EXPECT_EQ(out_.files(), 0);
}

TEST_F(Chain, LeavesNothingWhenItIsKilled) {
  for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
    TemporaryFolder in;
    ASSERT_EQ(mkfifo(in.path("fifo").c_str(), 0600), 0);
    Background feeder("sh -c 'seq 3000000 >" + in.path("fifo") + "'");
    Background mrc("\"$MRC\" select -f lines -k 1 " + in.path("fifo") + " then sort -S 1M -o " +
                   out_.path("answer") + " -T " + tmpdir_.path("."));
    ASSERT_TRUE(wait_until("rows are spilled",
                           [&] { return open_files_in(mrc.id(), tmpdir_.path("")) > 0; }));
    mrc.send(signal);
    EXPECT_TRUE(WIFSIGNALED(mrc.wait()));
    EXPECT_EQ(tmpdir_.files() + out_.files(), 0);
  }
}

}  // namespace
}  // namespace mrc
