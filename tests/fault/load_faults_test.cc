// Loads that cannot end: nothing is loaded, and nothing is left that counts.
#include "support/loads.h"
#include "support/seed.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace mrc {
namespace {

using std::string;
using Clock = std::chrono::steady_clock;

class LoadFaults : public LoadedLogs {
 protected:
  LoadFaults() : random_(first_seed()) {}

  void append_records(const string &log, i64 n) {
    string text;
    for (; n > 0; --n) text += record(random_);
    append(log, text);
  }
  static constexpr const char *kLoad = "load --partition-by time:day --sort-by time -o dir ";
  void expect_all_loaded() {
    std::vector<string> found;
    for (const auto &[name, text] : files()) {
      std::ranges::move(records_of(text), std::back_inserter(found));
    }
    std::ranges::sort(found);
    EXPECT_TRUE(found == all_records()) << found.size() << " of " << all_records().size();
  }

  Random random_;
};

TEST_F(LoadFaults, AFullDiskLeavesWhatWasLoaded) {
  std::filesystem::create_directory(path("dir"));
  const string dir = path("dir");
  if (mount("none", dir.c_str(), "tmpfs", MS_NOSUID, "size=512k") != 0) GTEST_SKIP() << "not root";
  append_records("log", 100);
  EXPECT_EQ(run(kLoad + string("log")), 0) << error();
  const auto before = files();
  append_records("log", 50000);
  EXPECT_EQ(run(kLoad + string("log")), 2);
  EXPECT_TRUE(error().starts_with("mrc: error: dir/day=2025-11-")) << error();
  EXPECT_TRUE(error().ends_with(": cannot write: No space left on device\n")) << error();
  EXPECT_EQ(files(), before);
  EXPECT_EQ(mount("none", dir.c_str(), "tmpfs", MS_NOSUID | MS_REMOUNT, "size=64m"), 0);
  EXPECT_EQ(run(kLoad + string("log")), 0) << error();
  expect_all_loaded();
  umount2(dir.c_str(), MNT_DETACH);
}

TEST_F(LoadFaults, AReadOnlyDirectoryIsRefused) {
  std::filesystem::create_directory(path("dir"));
  const string dir = path("dir");
  if (mount("none", dir.c_str(), "tmpfs", MS_NOSUID | MS_RDONLY, "") != 0) {
    GTEST_SKIP() << "not root";
  }
  append_records("log", 10);
  EXPECT_EQ(run(kLoad + string("log")), 2);
  EXPECT_EQ(error(), "mrc: error: dir/.mrc: cannot create: Read-only file system\n");
  umount2(dir.c_str(), MNT_DETACH);
}

TEST_F(LoadFaults, DirectoriesOfOthersAreRefused) {
  append_records("log", 10);
  std::filesystem::create_directory(path("dir"));
  folder_.write("dir/mine", "mine\n");
  EXPECT_EQ(run(kLoad + string("log")), 2);
  EXPECT_EQ(error(),
            "mrc: error: load: dir: has files that mrc load has not written; name an empty "
            "directory, or one that is not there yet\n");
  std::filesystem::remove_all(path("dir"));
  folder_.write("dir", "a file\n");
  EXPECT_EQ(run(kLoad + string("log")), 2);
  EXPECT_EQ(error(), "mrc: error: load: dir: is not a directory\n");
  EXPECT_EQ(folder_.read("dir"), "a file\n");
}

// Files with other names are left alone, even in the folders of loads.
TEST_F(LoadFaults, OnlyFilesOfLoadsAreRemoved) {
  append_records("log", 200);
  EXPECT_EQ(run(kLoad + string("log")), 0) << error();
  const auto before = files();
  folder_.write("dir/day=2025-11-24/000007-0123456789abcdef.csv", "left by a load\n");
  folder_.write("dir/day=2025-11-24/.000007-0123456789abcdef.csv.mrcx", "its index\n");
  folder_.write("dir/day=2025-11-24/part-0.csv", "of another program\n");
  EXPECT_EQ(run("count -k host dir"), 0) << error();
  append_records("log", 10);
  EXPECT_EQ(run(kLoad + string("log")), 0) << error();
  EXPECT_FALSE(std::filesystem::exists(path("dir/day=2025-11-24/000007-0123456789abcdef.csv")));
  EXPECT_FALSE(
      std::filesystem::exists(path("dir/day=2025-11-24/.000007-0123456789abcdef.csv.mrcx")));
  EXPECT_EQ(folder_.read("dir/day=2025-11-24/part-0.csv"), "of another program\n");
}

TEST_F(LoadFaults, DamagedInputIsNotLoadedAtAll) {
  append_records("a.csv", 1000);
  append_records("b.csv", 20000);
  ASSERT_EQ(run_shell("cd " + path("") + "; gzip b.csv; head -c 50000 b.csv.gz >c.csv.gz"), 0);
  EXPECT_EQ(run(kLoad + string("a.csv c.csv.gz")), 2);
  EXPECT_NE(error().find("c.csv.gz: was not read to its end, so nothing is loaded; leave it out"),
            string::npos)
      << error();
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(run(kLoad + string("a.csv b.csv.gz")), 0) << error();
  EXPECT_EQ(run("count -k host dir"), 0) << error();
}

TEST_F(LoadFaults, TooManyPartitionsAreRefused) {
  append_records("log", 5000);
  EXPECT_EQ(run("load --partition-by id --partitions 4999 -o dir log"), 2);
  EXPECT_EQ(error(),
            "mrc: error: there are more than 4999 partitions, each of which is a folder with a "
            "file; divide by something coarser, or raise the limit by --partitions\n");
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(run("load --partition-by id --partitions 5000 -o dir log"), 0) << error();
  EXPECT_EQ(files().size(), 5000u);
}

// A signal ends the load, and takes back the files that have appeared.
TEST_F(LoadFaults, SignalsLeaveNoFiles) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer holds signals back while open() or a lock waits";
#endif
  append_records("log", 40000);
  i64 ended = 0;
  for (i64 n = 0; n < 20; ++n) {
    std::filesystem::remove_all(path("dir"));
    Background mrc("$MRC load --partition-by time:hour -o " + path("dir") + " " + path("log"));
    while (!mrc.has_ended() && files().empty()) std::this_thread::yield();
    mrc.send(SIGTERM);
    if (WIFSIGNALED(mrc.wait())) {
      ++ended;
      EXPECT_TRUE(!listed().empty() || files().empty());
    }
  }
  EXPECT_GT(ended, 0);
}

TEST_F(LoadFaults, TwoLoadsWaitForEachOther) {
  append_records("a.csv", 3000);
  append_records("b.csv", 3000);
  Background first("$MRC load --partition-by time:day -o " + path("dir") + " " + path("a.csv"));
  Background second("$MRC load --partition-by time:day -o " + path("dir") + " " + path("b.csv"));
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(second.wait(), 0);
  expect_all_loaded();
}

}  // namespace
}  // namespace mrc
