// Compressed input that changes, programs that die, and a few bytes that become many.
#include "support/compress.h"
#include "support/process.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

class Compressed : public testing::Test {
 protected:
  // Runs in the folder, and returns the exit status.
  int run(const string &command) {
    const int status = run_shell("cd " + folder_.path("") + " && " + command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  TemporaryFolder folder_;
};

TEST_F(Compressed, ByAProgramThatIsKilled) {
  folder_.write("xz", "#!/bin/sh\nhead -c 1 >/dev/null\necho line\nkill -9 $$\n");
  folder_.write("in", filtered("xz -c", "text\n"));
  ASSERT_EQ(run("chmod +x xz"), 0);
  for (const char *command : {"$MRC count in", "cat in | $MRC count"}) {
    EXPECT_EQ(run("PATH=.:$PATH; " + string(command) + " >out 2>err"), 3);
    EXPECT_EQ(folder_.read("out"), "line\t1\n");
    EXPECT_NE(folder_.read("err").find(": xz: Killed; what lies before it is used"), string::npos)
        << folder_.read("err");
  }
}

TEST_F(Compressed, ByAProgramThatReadsNothingAndTalksALot) {
  folder_.write("xz", "#!/bin/sh\nseq 100000 >&2\nexit 1\n");
  folder_.write("in", filtered("xz -0 -c", log_like(5000000)));
  ASSERT_EQ(run("chmod +x xz"), 0);
  for (const char *command : {"$MRC count in", "cat in | $MRC count"}) {
    EXPECT_EQ(run("PATH=.:$PATH; " + string(command) + " >out 2>err"), 2);
    EXPECT_NE(folder_.read("err").find(": xz: 1; "), string::npos) << folder_.read("err");
  }
}

TEST_F(Compressed, BeforeAPipeThatIsClosed) {
  folder_.write("in.gz", filtered("gzip -1 -c", log_like(3000000)));
  folder_.write("in.xz", filtered("xz -0 -c", log_like(3000000)));
  EXPECT_EQ(run("$MRC sort -j2 in.gz in.xz in.gz | head -c 1 >out"), 0);
  EXPECT_EQ(folder_.read("out").size(), 1u);
}

TEST_F(Compressed, ThatIsManyTimesLargerStaysOutOfMemory) {
#ifdef MRC_SANITIZED
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  ASSERT_EQ(run("yes | head -c 160000000 | zstd -q >in.zst"), 0);
  ASSERT_EQ(run("yes | head -c 40000000 | gzip -1 >in.gz"), 0);
  EXPECT_EQ(run("$MRC count -j2 --stats in.zst in.gz >out 2>err"), 0);
  EXPECT_EQ(folder_.read("out"), "y\t100000000\n");
  const string stats = folder_.read("err");
  EXPECT_LT(std::atof(stats.c_str() + stats.find("memory ") + 7), 150) << stats;
}

TEST_F(Compressed, ByAProgramLeavesNoFilesOpen) {
  folder_.write("in", filtered("xz -0 -c", "a\n"));
  ASSERT_EQ(run("for i in $(seq 300); do cp in $i; done"), 0);
  EXPECT_EQ(run("ulimit -n 40; $MRC count -j4 $(seq 300) >out"), 0);
  EXPECT_EQ(folder_.read("out"), "a\t300\n");
}

}  // namespace
}  // namespace mrc
