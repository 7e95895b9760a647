// A device that fails, for the input, the answer and what is spilled: what could be read is
// counted and the rest is named, and half of an answer is never left.
#include "support/failing_disk.h"
#include "support/process.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

string numbered_lines(int lines) {
  string text;
  for (int i = 0; i < lines; ++i) text += "line " + std::to_string(i * 7919L % lines) + "\n";
  return text;
}

class DeviceFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (!disk_.is_mounted()) GTEST_SKIP() << "no FUSE here, or not root";
  }

  // The exit status.
  int run(const string &command) {
    const int status = run_shell("timeout 60 $MRC " + command + " >" + folder_.path("out") + " 2>" +
                                 folder_.path("err"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  string out() const { return folder_.read("out"); }
  string error() const { return folder_.read("err"); }

  FailingDisk disk_;
  TemporaryFolder folder_;
};

class InputDevice : public DeviceFaults, public testing::WithParamInterface<const char *> {};

// The rest of the input is there, and the exit status tells.
TEST_P(InputDevice, ThatFailsIsNamedAndTheRestIsCounted) {
  const string good = folder_.write("good", "line 1\nline 2\n");
  const string bad = disk_.write("bad", numbered_lines(400000));
  disk_.faults.read_at = 1 << 20;
  EXPECT_EQ(run(string(GetParam()) + " -j2 " + good + " " + bad), 3);
  const string message = error();
  EXPECT_EQ(message.find("mrc: error: " + bad + ": "), 0u) << message;
  EXPECT_NE(message.find("Input/output error\n"), string::npos) << message;
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
  EXPECT_FALSE(out().empty());
}

TEST_P(InputDevice, ThatFailsFromTheStartIsNoAnswer) {
  const string bad = disk_.write("bad", numbered_lines(1000));
  disk_.faults.read_at = 0;
  EXPECT_EQ(run(string(GetParam()) + " " + bad), 2) << out();
  EXPECT_EQ(out(), "");
  EXPECT_NE(error().find("Input/output error\n"), string::npos) << error();
  EXPECT_EQ(run(string(GetParam()) + " <" + bad), 2);
  EXPECT_EQ(out(), "");
}

INSTANTIATE_TEST_SUITE_P(Verbs, InputDevice,
                         testing::Values("count", "stats -f fields -k 1 -a sum:2", "sort", "grep 7",
                                         "select -f fields -k 2", "index", "distinct -c",
                                         "hist 2 -f fields", "count -f csv -k 1", "wordcount"));

TEST_F(DeviceFaults, OfAMappedInputEndTheJob) {
  const string bad = disk_.write("bad", numbered_lines(400000));
  disk_.faults.read_at = 1 << 20;
  EXPECT_EQ(run("count --io mmap " + bad), 2);
  EXPECT_EQ(error(), "mrc: error: " + bad +
                         ": Input/output error while it was mapped; --io=read counts what can be "
                         "read\n");
}

TEST_F(DeviceFaults, OfTheOutputLeaveNothing) {
  const string in = folder_.write("in", numbered_lines(100000)), answer = disk_.path("answer");
  std::vector<FailingDisk::Faults> all(4);
  all[0].write_at = 100000;
  all[1].sync = true;
  all[2].close = true;
  all[3].rename = true;
  for (const FailingDisk::Faults &faults : all) {
    disk_.faults = faults;
    for (const char *verb :
         {"count -o", "sort -o", "grep 7 --output", "select -f fields -k 1 -o"}) {
      EXPECT_EQ(run(verb + (" " + answer) + " " + in), 2);
      EXPECT_EQ(error(), "mrc: error: " + answer + ": cannot write: Input/output error\n");
      EXPECT_EQ(disk_.files(), 0);
    }
  }
}

TEST_F(DeviceFaults, OfTheFileOfBadRecordsLeaveNothing) {
  const string in = folder_.write("in", "{\"a\":1}\nno JSON\n"), bad = disk_.path("bad");
  disk_.faults.sync = true;
  EXPECT_EQ(run("count -f json -k a --bad " + bad + " -o " + folder_.path("answer") + " " + in), 2);
  EXPECT_EQ(error(), "mrc: error: " + bad + ": cannot write: Input/output error\n");
  EXPECT_EQ(disk_.files(), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("answer")));
}

TEST_F(DeviceFaults, OfWhatIsSpilledAreNoAnswer) {
  const string in = folder_.write("in", numbered_lines(200000)), tmpdir = disk_.path("");
  for (const char *verb : {"count", "sort", "index --positions byte", "distinct --stable"}) {
    const string command =
        verb + (" -j2 --memory 1M --tmpdir " + tmpdir) + " -o " + folder_.path("answer") + " " + in;
    disk_.faults = {};
    disk_.faults.write_at = 1 << 20;
    EXPECT_EQ(run(command), 2) << verb;
    EXPECT_EQ(error(), "mrc: error: " + tmpdir +
                           ": Input/output error while spilling; choose another --tmpdir\n");
    disk_.faults = {};
    disk_.faults.read_at = 100000;
    EXPECT_EQ(run(command), 2) << verb;
    EXPECT_EQ(error(), "mrc: error: " + tmpdir + ": cannot read: Input/output error\n");
    EXPECT_FALSE(std::filesystem::exists(folder_.path("answer")));
  }
  EXPECT_EQ(disk_.files(), 0);
}

}  // namespace
}  // namespace mrc
