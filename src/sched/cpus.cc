#include "sched/inner/cgroup.h"
#include "sched/sched.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace mrc {
namespace {

// Converts `quota` microseconds in each `period` to whole CPUs; 0 = no limit.
i64 whole_cpus(double quota, double period) {
  if (quota <= 0 || period <= 0) return 0;
  return std::max<i64>(1, static_cast<i64>((quota + period - 1) / period));
}

i64 read_v2(const std::string &group) {
  std::ifstream file(group + "/cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period ? whole_cpus(quota, period) : 0;  // "max" does not parse
}

i64 read_v1(const std::string &group) {
  std::ifstream quota_file(group + "/cpu.cfs_quota_us"), period_file(group + "/cpu.cfs_period_us");
  double quota = 0, period = 0;
  return quota_file >> quota && period_file >> period ? whole_cpus(quota, period) : 0;
}

}  // namespace

i64 cgroup_cpu_quota(const std::string &root) {
  return smallest_limit(root, "cpu", read_v2, read_v1);
}

std::vector<i64> allowed_cpus() {
  std::vector<i64> cpus;
  // The mask may be larger than cpu_set_t on machines with more than 1,024 CPUs.
  for (size_t most = 1024; cpus.empty() && most <= 1 << 20; most *= 2) {
    cpu_set_t *set = CPU_ALLOC(most);
    const size_t bytes = CPU_ALLOC_SIZE(most);
    const bool fits = sched_getaffinity(0, bytes, set) == 0;
    for (size_t cpu = 0; fits && cpu < most; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, set)) cpus.push_back(static_cast<i64>(cpu));
    }
    CPU_FREE(set);
  }
  const i64 known = cpus.empty() ? std::max(1u, std::thread::hardware_concurrency()) : 0;
  for (i64 cpu = 0; cpu < known; ++cpu) cpus.push_back(cpu);
  return cpus;
}

i64 available_cpus() {
  i64 cpus = std::ssize(allowed_cpus());
  i64 quota = cgroup_cpu_quota();
  return quota > 0 ? std::min(cpus, quota) : cpus;
}

}  // namespace mrc
