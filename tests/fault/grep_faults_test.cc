// Searches that lose their reader, that fill the disk, or that read input without end.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mrc {
namespace {

using std::string;

string many_lines() {
  string text;
  for (int i = 0; i < 500000; ++i) text += std::to_string(i) + "\n";
  return text;
}

class GrepFaults : public testing::TestWithParam<string> {
 protected:
  string grep(const string &arguments) const {
    return "timeout 60 $MRC grep " + GetParam() + " " + arguments + " 2>" + folder_.path("err");
  }
  string note_code() const { return "; echo $? >" + folder_.path("code"); }

  TemporaryFolder folder_;
};

TEST_P(GrepFaults, EndsQuietlyWhenTheReaderLeaves) {
  folder_.write("in", many_lines());
  run_shell("(" + grep("1 " + folder_.path("in")) + note_code() + ") | head -1 >" +
            folder_.path("out"));
  EXPECT_EQ(folder_.read("out"), "1\n");
  EXPECT_EQ(folder_.read("err"), "");
  EXPECT_EQ(folder_.read("code"), "0\n");
}

TEST_P(GrepFaults, EndsWhenTheReaderOfEndlessInputLeaves) {
  run_shell("yes | (" + grep("y") + note_code() + ") | head -1 >" + folder_.path("out"));
  EXPECT_EQ(folder_.read("out"), "y\n");
  EXPECT_EQ(folder_.read("err"), "");
  EXPECT_EQ(folder_.read("code"), "0\n");
}

// Nothing is written: only a look at the pipe tells.
TEST_P(GrepFaults, EndsWhenTheReaderLeavesAndNothingMatches) {
  run_shell("yes | (" + grep("zzz") + note_code() + ") | true");
  EXPECT_EQ(folder_.read("err"), "");
  EXPECT_EQ(folder_.read("code"), "0\n") << "124: it went on";
}

TEST_P(GrepFaults, TellsOfAFullDisk) {
  folder_.write("in", many_lines());
  const int status = run_shell(grep("1 " + folder_.path("in") + " >/dev/full"));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(folder_.read("err"),
            "mrc: error: standard output: cannot write: No space left on device\n");
}

TEST_P(GrepFaults, DoesNotWaitForMoreThanIsAskedFor) {
  const string fifo = folder_.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  Background feeder("sh -c 'exec >" + fifo + "; echo y; exec sleep 90'");
  const int status = run_shell(grep("-m1 y " + fifo) + " >" + folder_.path("out"));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "124: it waited";
  EXPECT_EQ(folder_.read("out"), "y\n");
}

// What has come is printed while the rest has not.
TEST_P(GrepFaults, PrintsWhatHasArrived) {
  const string fifo = folder_.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  Background feeder("sh -c 'exec >" + fifo + "; echo y 1; echo no; printf y; exec sleep 90'");
  run_shell("(" + grep("y " + fifo) + note_code() + ") | head -1 >" + folder_.path("out"));
  EXPECT_EQ(folder_.read("out"), "y 1\n");
  EXPECT_EQ(folder_.read("code"), "0\n");
}

INSTANTIATE_TEST_SUITE_P(Settings, GrepFaults,
                         testing::Values("-j1", "-j2", "-j4 --split 1K", "-j3 --memory 4K"),
                         [](const auto &test) { return "number_" + std::to_string(test.index); });

}  // namespace
}  // namespace mrc
