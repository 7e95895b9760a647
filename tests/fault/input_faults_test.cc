// Inputs that change, vanish or are larger than anybody expects.
#include "engine/engine.h"
#include "input/inner/window.h"
#include "support/process.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <random>
#include <thread>

namespace mrc {
namespace {

using std::string;

class Noted : public Observer {
 public:
  void complain(const string &message) override { complaints += message + "\n"; }
  void progress(i64, i64) override {}
  void writing() override {}
  string complaints;
};

string lines(i64 n) {
  string text;
  for (i64 i = 0; i < n; ++i) text += "line\n";
  return text;
}

class ChangingFile : public testing::TestWithParam<IoMode> {
 protected:
  // Plans, lets `change` do its worst, and runs.
  Result<Report> run_after(const std::function<void()> &change) {
    program_.map.records = MapSpec::Records::lines;
    program_.output = folder_.path("out");
    program_.io = GetParam();
    program_.split_bytes = 10000;
    program_.threads = 2;
    const Plan plan = make_plan(program_);
    change();
    return run(program_, plan, &noted_);
  }

  TemporaryFolder folder_;
  Program program_;
  Noted noted_;
};

TEST_P(ChangingFile, ThatShrinksIsCountedAsFarAsItGoesAndReported) {
  program_.inputs = {folder_.write("in", lines(20000))};
  Result<Report> report =
      run_after([&] { EXPECT_EQ(truncate(program_.inputs[0].c_str(), 60000), 0); });
  ASSERT_TRUE(report.is_ok());
  EXPECT_TRUE(report->partial);
  EXPECT_EQ(folder_.read("out"), "line\t12000\n");
  EXPECT_NE(noted_.complaints.find("shrank while it was read"), string::npos) << noted_.complaints;
}

TEST_P(ChangingFile, ThatGrowsIsCountedAsItWas) {
  program_.inputs = {folder_.write("in", lines(20000))};
  Result<Report> report = run_after(
      [&] { std::ofstream(program_.inputs[0], std::ios::app | std::ios::binary) << lines(500); });
  ASSERT_TRUE(report.is_ok());
  EXPECT_FALSE(report->partial);
  EXPECT_EQ(folder_.read("out"), "line\t20000\n");
}

TEST_P(ChangingFile, ThatVanishesIsReportedOnceAndTheRestIsCounted) {
  program_.inputs = {folder_.write("a", lines(20000)), folder_.write("b", lines(3))};
  Result<Report> report = run_after([&] { unlink(program_.inputs[0].c_str()); });
  ASSERT_TRUE(report.is_ok());
  EXPECT_TRUE(report->partial);
  EXPECT_EQ(folder_.read("out"), "line\t3\n");
  EXPECT_EQ(noted_.complaints, program_.inputs[0] + ": No such file or directory\n");
}

TEST_P(ChangingFile, ThatEndsInAWordOnAPageBoundary) {
  for (i64 size : {4095, 4096, 4097, 8192, 262144}) {
    program_.inputs = {folder_.write("in", string(static_cast<size_t>(size), 'w'))};
    Result<Report> report = run_after([] {});
    ASSERT_TRUE(report.is_ok());
    EXPECT_EQ(folder_.read("out"), string(static_cast<size_t>(size), 'w') + "\t1\n");
  }
}

INSTANTIATE_TEST_SUITE_P(Io, ChangingFile, testing::Values(IoMode::read, IoMode::mmap),
                         [](const auto &mode) {
                           return mode.param == IoMode::read ? "read" : "mmap";
                         });

// Truncated between being mapped and being read: a signal, turned into an error.
TEST(TruncatedMapping, IsAnErrorAndNoCrash) {
  TemporaryFolder folder;
  const string path = folder.write("in", string(100000, 'x'));
  Result<Source> source = examine(path);
  ASSERT_TRUE(source.is_ok());
  Result<InputFile> file = InputFile::open(*source);
  ASSERT_TRUE(file.is_ok());
  MappedWindow window(*source, *file);
  Result<Bytes> view = window.view(0, 100000);
  ASSERT_TRUE(view.is_ok());
  EXPECT_TRUE(window.verify().is_ok());
  ASSERT_EQ(truncate(path.c_str(), 5000), 0);
  u64 sum = 0;
  for (char c : *view) sum += static_cast<u8>(c);
  EXPECT_LT(sum, 100000u * 'x');  // what is lost reads as zeros
  Status torn = window.verify();
  ASSERT_FALSE(torn.is_ok());
  EXPECT_NE(torn.message().find("truncated from 100000 to 5000"), string::npos) << torn.message();
}

// A record may change while it is looked at. The answer is of no use then, but the job ends.
TEST(MappedFiles, ThatOthersOverwriteEndNoJobBySignal) {
  TemporaryFolder folder;
  string text = "id,name,n\n";
  for (int i = 0; i < 40000; ++i) text += std::to_string(i) + ",\"na\"\"me,\n x\"," + "7\n";
  const string path = folder.write("in", text);
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    std::mt19937_64 random(first_seed());
    const std::array<string, 7> spoils = {
        "\"", "\n", string(1, '\0'), "{\"a\":", "\"\"", "\\", string(5000, '"')};
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    while (!is_done) {
      const string &spoil = spoils[random() % spoils.size()];
      file.seekp(static_cast<i64>(random() % (text.size() - spoil.size())));
      file << spoil << std::flush;
      if (random() % 64 == 0) file.seekp(0), file << text << std::flush;
    }
  });
  for (const char *job :
       {"stats -f csv -k name -a sum:n", "sort -f csv -k n:num", "wordcount", "grep 'na.*9'",
        "select -f csv -k n,name", "count", "fields", "select -f json -k a", "log", "index"}) {
    const int status = run_shell(string("$MRC ") + job + " --io mmap -j2 " + path + " >" +
                                 folder.path("out") + " 2>&1");
    EXPECT_TRUE(WIFEXITED(status)) << job;
    EXPECT_LE(WEXITSTATUS(status), 3) << job;
  }
  is_done = true;
  writer.join();
}

TEST(LargeRecords, AWordOfAHundredMegabytes) {
  TemporaryFolder folder;
  const size_t size = 100 << 20;
  folder.write("in", "a " + string(size, 'b') + " a");
  const string command = "$MRC wordcount -j2 --io ";
  for (const char *io : {"read", "mmap"}) {
    EXPECT_EQ(run_shell(command + io + " " + folder.path("in") + " >" + folder.path("out")), 0);
    EXPECT_EQ(folder.read("out").size(), size + 7);
  }
  EXPECT_EQ(run_shell("cat " + folder.path("in") + " | $MRC wordcount >" + folder.path("out")), 0);
  EXPECT_EQ(folder.read("out").substr(0, 4), "a\t2\n");
  EXPECT_EQ(folder.read("out").size(), size + 7);
}

TEST(MoreThreadsThanCores, AreAllowed) {
  TemporaryFolder folder;
  folder.write("in", lines(5000));
  EXPECT_EQ(
      run_shell("$MRC count -j200 --split 100 " + folder.path("in") + " >" + folder.path("out")),
      0);
  EXPECT_EQ(folder.read("out"), "line\t5000\n");
}

}  // namespace
}  // namespace mrc
