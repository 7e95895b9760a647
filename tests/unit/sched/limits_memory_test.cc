#include "sched/sched.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// A machine's /proc and /sys as far as memory is concerned.
class AvailableMemory : public testing::Test {
 protected:
  void file(const std::string &name, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(root_.path(name)).parent_path());
    root_.write(name, text);
  }
  void group(const std::string &folder, const std::string &most, const std::string &used) {
    file("sys/fs/cgroup" + folder + "/memory.max", most + "\n");
    file("sys/fs/cgroup" + folder + "/memory.current", used + "\n");
  }
  i64 available() const { return available_memory(2, root_.path("")); }

  TemporaryFolder root_;
};

TEST_F(AvailableMemory, IsUnlimitedWhereNobodyTells) {
  EXPECT_EQ(available(), INT64_MAX);
  file("proc/meminfo", "MemTotal: 1000 kB\n");
  EXPECT_EQ(available(), INT64_MAX);
}

TEST_F(AvailableMemory, IsAShareOfWhatTheKernelCallsAvailable) {
  file("proc/meminfo", "MemTotal:  20000 kB\nMemFree: 5000 kB\nMemAvailable:   10000 kB\n");
  EXPECT_NEAR(static_cast<double>(available()), 6000 * 1024, 100);
}

TEST_F(AvailableMemory, IsAtMostAShareOfWhatTheGroupHasLeft) {
  file("proc/meminfo", "MemAvailable: 1000000 kB\n");
  const i64 machine = available();
  file("proc/self/cgroup", "0::/job\n");
  EXPECT_EQ(available(), machine);
  group("/job", "max", "500");
  EXPECT_EQ(available(), machine);
  group("/job", "400000000", "100000000");
  EXPECT_EQ(available(), 270000000 - (64 << 20));
  group("/job", "100000000000", "400000");
  EXPECT_EQ(available(), machine);
}

TEST_F(AvailableMemory, OfAGroupIsSetByTheTightestOfItsParents) {
  file("proc/self/cgroup", "0::/a/b\n");
  group("/a/b", "1000000", "0");
  group("/a", "700000", "600000");
  EXPECT_EQ(available(), 25000);
  group("", "50000", "0");
  EXPECT_EQ(available(), 12500);
}

// What a process takes beside, as --memory says, must find room, too.
TEST_F(AvailableMemory, OfASmallGroupLeavesRoomForTheRest) {
  file("proc/self/cgroup", "0::/job\n");
  for (i64 mib : {128, 256, 1024}) {
    group("/job", std::to_string(mib << 20), "0");
    EXPECT_LE(available() + (64 << 20), mib << 20) << mib;
    EXPECT_GE(available(), (mib << 20) / 4 - 100) << mib;
  }
}

TEST_F(AvailableMemory, OfAGroupIsAlsoBoundByItsHighMark) {
  file("proc/self/cgroup", "0::/job\n");
  group("/job", "max", "0");
  file("sys/fs/cgroup/job/memory.high", "400000000\n");
  EXPECT_EQ(available(), 360000000 - (64 << 20));
  group("/job", "200000000", "0");
  EXPECT_EQ(available(), 180000000 - (64 << 20));
  file("sys/fs/cgroup/job/memory.high", "max\n");
  EXPECT_EQ(available(), 180000000 - (64 << 20));
}

// The columns of /proc/self/limits.
TEST_F(AvailableMemory, IsAtMostHalfOfTheAddressesThatAreLeft) {
  const auto limits = [this](const std::string &data, const std::string &all) {
    file("proc/self/limits",
         "Limit                     Soft Limit           Hard Limit           Units     \n"
         "Max data size             " +
             data +
             "            unlimited            bytes     \n"
             "Max address space         " +
             all + "            unlimited            bytes     \n");
  };
  file("proc/self/status", "VmSize:\t   20000 kB\nVmData:\t   10000 kB\n");
  limits("unlimited", "unlimited");
  EXPECT_EQ(available(), INT64_MAX);
  limits("unlimited", "1073741824");
  const i64 of_all = available();
  EXPECT_LT(of_all, 512 << 20);
  EXPECT_GT(of_all, 300 << 20);
  limits("1073741824", "unlimited");
  EXPECT_EQ(available(), of_all + 10000 * 1024 / 2);
  limits("1073741824", "1073741824");
  EXPECT_EQ(available(), of_all);
  limits("1000", "unlimited");
  EXPECT_EQ(available(), 1);
}

TEST_F(AvailableMemory, CountsOnWhatMayBeCommitted) {
  file("proc/meminfo",
       "MemAvailable: 4000000 kB\nCommitLimit: 1000000 kB\nCommitted_AS: 500000 kB\n");
  const i64 machine = available();
  file("proc/sys/vm/overcommit_memory", "0\n");
  EXPECT_EQ(available(), machine);
  file("proc/sys/vm/overcommit_memory", "2\n");
  EXPECT_LT(available(), 250000 * 1024);
  EXPECT_GT(available(), 100000 * 1024);
}

TEST_F(AvailableMemory, CountsPagesOfFilesAsFree) {
  file("proc/self/cgroup", "0::/job\n");
  group("/job", "1000000", "990000");
  EXPECT_EQ(available(), 2500);
  file("sys/fs/cgroup/job/memory.stat", "anon 10\ninactive_file 500000\nactive_file 90000\n");
  EXPECT_EQ(available(), 150000);
  file("sys/fs/cgroup/job/memory.stat", "inactive_file 5000000\n");
  EXPECT_EQ(available(), 250000);
}

TEST_F(AvailableMemory, IsNeverNothing) {
  file("proc/self/cgroup", "0::/job\n");
  group("/job", "1000000", "1000000");
  EXPECT_EQ(available(), 1);
  group("/job", "1000000", "2000000");
  EXPECT_EQ(available(), 1);
}

TEST_F(AvailableMemory, OfVersion1IsWithTheMemoryController) {
  file("proc/self/cgroup", "4:cpu,cpuacct:/x\n9:memory:/docker/x\n");
  file("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "9223372036854771712\n");
  file("sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes", "1000\n");
  EXPECT_GT(available(), i64{1} << 60);
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
  file("sys/fs/cgroup/memory/memory.usage_in_bytes", "1500000\n");
  EXPECT_EQ(available(), 125000);
  file("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 500000\n");
  EXPECT_EQ(available(), 250000);
}

}  // namespace
}  // namespace mrc
