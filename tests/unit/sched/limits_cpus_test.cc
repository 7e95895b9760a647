#include "sched/sched.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace mrc {
namespace {

// A machine's /proc and /sys as far as quotas are concerned.
class CgroupQuota : public testing::Test {
 protected:
  void file(const std::string &name, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(root_.path(name)).parent_path());
    root_.write(name, text);
  }
  void in_groups(const std::string &lines) { file("proc/self/cgroup", lines); }
  i64 quota() const { return cgroup_cpu_quota(root_.path("")); }

  TemporaryFolder root_;
};

TEST_F(CgroupQuota, IsNoneWithoutCgroups) {
  EXPECT_EQ(quota(), 0);
  in_groups("");
  EXPECT_EQ(quota(), 0);
  in_groups("nonsense\n1:cpu\n::\n0::relative\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(CgroupQuota, IsNoneWhereVersion2SaysMax) {
  in_groups("0::/job\n");
  EXPECT_EQ(quota(), 0);
  file("sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(CgroupQuota, IsRoundedUpToWholeCpus) {
  in_groups("0::/job\n");
  for (auto [text, cpus] : {std::pair{"100000 100000", 1},
                            {"150000 100000", 2},
                            {"100001 100000", 2},
                            {"200000 100000", 2},
                            {"1000 100000", 1},
                            {"800000 50000", 16},
                            {"0 100000", 0},
                            {"100000 0", 0},
                            {"100000", 0},
                            {"", 0}}) {
    file("sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(quota(), cpus) << text;
  }
}

TEST_F(CgroupQuota, IsTheSmallestOfAllParents) {
  in_groups("0::/a/b/c\n");
  file("sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  file("sys/fs/cgroup/a/b/cpu.max", "600000 100000\n");
  EXPECT_EQ(quota(), 6);
  file("sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3);
  file("sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 3);
  file("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CgroupQuota, IsThatOfTheRootInAContainer) {
  in_groups("0::/\n");
  file("sys/fs/cgroup/cpu.max", "250000 100000\n");
  EXPECT_EQ(quota(), 3);
}

TEST_F(CgroupQuota, OfVersion1IsWithTheCpuController) {
  in_groups("11:memory:/m\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/s\n");
  file("sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "-1\n");
  file("sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0);
  file("sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "350000\n");
  file("sys/fs/cgroup/cpu/docker/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 4);
  file("sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(quota(), 1);
}

TEST_F(CgroupQuota, IgnoresControllersThatOnlySoundAlike) {
  in_groups("5:cpuset:/x\n6:cpuacct:/x\n");
  file("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "100000\n");
  file("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(CgroupQuota, IsTheSmallerOfBothVersions) {
  in_groups("4:cpu:/x\n0::/y\n");
  file("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "500000\n");
  file("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 5);
  file("sys/fs/cgroup/y/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3);
}

TEST(AvailableCpus, FollowTheAffinityMask) {
  EXPECT_GE(available_cpus(), 1);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_cpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_LE(available_cpus(), CPU_COUNT(&before));
}

}  // namespace
}  // namespace mrc
