// Outputs that are full, closed, or interrupted: nothing half-written stays.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mrc {
namespace {

using std::string;

class Interrupted : public testing::TestWithParam<int> {};

TEST_P(Interrupted, LeavesNoOutputAndDiesOfTheSignal) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer holds signals back while open() or a lock waits";
#endif
  TemporaryFolder in, out;
  ASSERT_EQ(mkfifo(in.path("fifo").c_str(), 0600), 0);
  // Reads a fifo without a writer: it waits, its temporary file open.
  Background mrc("\"$MRC\" wordcount -o " + out.path("answer") + " " + in.path("fifo"));
  ASSERT_TRUE(wait_until("it has its output open",
                         [&] { return open_files_in(mrc.id(), out.path("")) == 1; }));
  mrc.send(GetParam());
  int status = mrc.wait();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_EQ(out.files(), 0);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(Interrupted, KeepsTheOldOutputWhenKilled) {
  TemporaryFolder in, out;
  out.write("answer", "old\n");
  ASSERT_EQ(mkfifo(in.path("fifo").c_str(), 0600), 0);
  Background mrc("\"$MRC\" wordcount -o " + out.path("answer") + " " + in.path("fifo"));
  ASSERT_TRUE(wait_until("it has its output open",
                         [&] { return open_files_in(mrc.id(), out.path("")) == 1; }));
  mrc.send(SIGKILL);
  mrc.wait();
  EXPECT_EQ(out.read("answer"), "old\n");
  EXPECT_EQ(out.files(), 1);
}

TEST_P(Interrupted, LeavesNoBadRecordsEither) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer holds signals back while open() or a lock waits";
#endif
  TemporaryFolder in, out;
  ASSERT_EQ(mkfifo(in.path("fifo").c_str(), 0600), 0);
  Background mrc("\"$MRC\" count -k 1 -d , --bad " + out.path("bad") + " -o " + out.path("answer") +
                 " " + in.path("fifo"));
  ASSERT_TRUE(wait_until("it has its output open",
                         [&] { return open_files_in(mrc.id(), out.path("")) == 2; }));
  mrc.send(GetParam());
  EXPECT_TRUE(WIFSIGNALED(mrc.wait()));
  EXPECT_EQ(out.files(), 0);
}

// By its name, by another name, or as standard input.
TEST(BadRecordsFile, NeverReplacesAnInput) {
  TemporaryFolder folder;
  const string text = "{\"a\":1}\nno JSON\n", in = folder.write("in", text);
  ASSERT_EQ(link(in.c_str(), folder.path("same").c_str()), 0);
  for (const string &input : {in, folder.path("same"), " <" + in}) {
    int status =
        run_shell("$MRC count -f json -k a --bad " + in + " " + input + " 2>" + folder.path("err"));
    EXPECT_EQ(WEXITSTATUS(status), 2) << input;
    EXPECT_EQ(folder.read("err"), "mrc: error: --bad " + in + ": is an input; name another file\n");
    EXPECT_EQ(folder.read("in"), text);
  }
}

TEST(BadRecordsFile, IsNotThatOfTheAnswer) {
  TemporaryFolder folder;
  const string in = folder.write("in", "no JSON\n"), out = folder.path("out");
  int status = run_shell("$MRC count -f json -k a --bad " + out + " -o " + out + " " + in + " 2>" +
                         folder.path("err"));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(folder.read("err"),
            "mrc: error: --bad " + out + ": the answer goes there; name another file\n");
}

// A fifo without a writer: were the job begun, it would wait for ever.
TEST(BadRecordsFile, IsOpenedBeforeThereIsWork) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path("fifo").c_str(), 0600), 0);
  int status = run_shell("timeout 60 $MRC count -d , -k 1 --bad " + folder.path("none/bad") + " " +
                         folder.path("fifo") + " 2>" + folder.path("err"));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(folder.read("err"),
            "mrc: error: " + folder.path("none/bad") + ": No such file or directory\n");
}

TEST(FullDisk, IsAnErrorAndLeavesNothing) {
  TemporaryFolder in, out;
  string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + "\n";
  in.write("in", text);
  // A limit on the size of files stands for the full disk.
  int status = run_shell("ulimit -f 8; $MRC count -o " + out.path("answer") + " " + in.path("in") +
                         " 2>" + in.path("err"));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(in.read("err"),
            "mrc: error: " + out.path("answer") + ": cannot write: File too large\n");
  EXPECT_EQ(out.files(), 0);
}

TEST(ClosedPipe, EndsQuietlyWhileWriting) {
  TemporaryFolder folder;
  string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + "\n";
  folder.write("in", text);
  EXPECT_EQ(run_shell("($MRC count " + folder.path("in") + " 2>" + folder.path("err") +
                      "; echo $? >" + folder.path("code") + ") | head -1 >" + folder.path("out")),
            0);
  EXPECT_EQ(folder.read("out"), "0\t1\n");
  EXPECT_EQ(folder.read("err"), "");
  EXPECT_EQ(folder.read("code"), "0\n");
}

// Input without end: only noticing that the reader has left can end this.
TEST(ClosedPipe, EndsPromptlyWhileMapping) {
  TemporaryFolder folder;
  EXPECT_EQ(run_shell("yes | (timeout 60 $MRC wordcount -j3 2>" + folder.path("err") +
                      "; echo $? >" + folder.path("code") + ") | true"),
            0);
  ASSERT_TRUE(wait_until("mrc has ended", [&] { return !folder.read("code").empty(); }));
  EXPECT_EQ(folder.read("code"), "0\n");
  EXPECT_EQ(folder.read("err"), "");
}

TEST(ClosedStandardOutput, IsAnError) {
  TemporaryFolder folder;
  folder.write("in", "a b\n");
  int status = run_shell("$MRC wordcount " + folder.path("in") + " >&- 2>" + folder.path("err"));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(folder.read("err"), "mrc: error: standard output: cannot write: Bad file descriptor\n");
}

#if !defined(MRC_SANITIZED)
// The allocator of the binary is what it says it is.
TEST(Allocator, IsMimalloc) {
  TemporaryFolder folder;
  EXPECT_EQ(run_shell("MIMALLOC_VERBOSE=1 $MRC wordcount /dev/null 2>&1 | grep -c '^mimalloc:' >" +
                      folder.path("lines")),
            0);
  EXPECT_NE(folder.read("lines"), "0\n");
}
#endif

}  // namespace
}  // namespace mrc
