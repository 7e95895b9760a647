// CPUs and memory that this process may use.
#include "sched/sched.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <thread>

namespace mrc {
namespace {

// Reads one limit from the directory of a group; 0 if it has none.
using GroupLimit = i64 (*)(const std::string &folder);

i64 smaller(i64 a, i64 b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

i64 smallest_upwards(const std::string &mount, std::string group, GroupLimit read) {
  i64 smallest = 0;
  for (;;) {
    smallest = smaller(smallest, read(mount + group));
    if (group.empty()) return smallest;
    group.resize(group.find_last_of('/'));
  }
}

// Returns the smallest limit of the groups of this process and of all their parents, in version 2
// and, for this controller ("cpu"), in version 1; 0 if there is none. `root` replaces "/" in tests.
i64 smallest_limit(const std::string &root, const std::string &controller, GroupLimit version2,
                   GroupLimit version1) {
  std::ifstream groups(root + "/proc/self/cgroup");
  const std::string mount = root + "/sys/fs/cgroup";
  std::string line;
  i64 smallest = 0;
  while (std::getline(groups, line)) {  // "hierarchy:controllers:/path"
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string path = line.substr(second + 1);
    if (path.empty() || path[0] != '/') continue;
    if (path == "/") path.clear();
    if (controllers == ",,") {
      smallest = smaller(smallest, smallest_upwards(mount, path, version2));
    } else if (controllers.find("," + controller + ",") != std::string::npos) {
      smallest = smaller(smallest, smallest_upwards(mount + "/" + controller, path, version1));
    }
  }
  return smallest;
}

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

// The memory in use by a group includes the page cache of files that it has read, so a group that
// has read a large file seems full. The kernel frees such pages when memory is needed, so they
// count as free, as they do in MemAvailable.
//
// Limits on address space (ulimit -v, ulimit -d, and a kernel that does not overcommit) count all
// mappings, used or not: arrays that have doubled, the stacks of threads, and the allocator's
// arenas for threads.

constexpr i64 kOfMachine = 60, kOfGroup = 90;  // %
// Room for memory outside a job's limit: the kernel kills the largest process of a group that is
// full.
constexpr i64 kBeside = i64{64} << 20;
constexpr i64 kLeastOfGroup = 25;                         // %
constexpr i64 kOfAddresses = 50, kLeastOfAddresses = 10;  // %
constexpr i64 kAddressesOfThread = i64{48} << 20;

i64 percent(i64 bytes, i64 share) { return bytes / 100 * share; }

// Returns the sum of the numbers after these names in a file of names and numbers.
i64 numbers_of(const std::string &file, std::initializer_list<std::string_view> names) {
  std::ifstream lines(file);
  std::string word, rest;
  i64 sum = 0, number = 0;
  for (size_t found = 0; found < names.size() && lines >> word;) {
    if (std::ranges::find(names, word) != names.end()) {
      ++found;
      if (lines >> number) sum += number;
    }
    std::getline(lines, rest);
  }
  return sum;
}
i64 number_of(const std::string &file, std::string_view name) { return numbers_of(file, {name}); }

i64 number_in(const std::string &file) {
  std::ifstream text(file);
  i64 number = 0;
  return text >> number ? number : 0;  // "max" does not parse
}

// Returns at least 1, as 0 means no limit.
i64 left(i64 limit, i64 used, i64 of_files) {
  if (limit <= 0) return 0;
  return std::clamp<i64>(limit - std::max<i64>(0, used - of_files), 1, limit);
}

// Returns the smaller of two limits; 0 means no limit.
i64 tighter(i64 a, i64 b) { return a <= 0 || b <= 0 ? std::max(a, b) : std::min(a, b); }

// Counts memory.high as a limit: a group above it is throttled until it frees memory. The kernel
// takes long to sum up what a group uses, which does not matter without a limit.
i64 left_v2(const std::string &group) {
  const i64 limit = tighter(number_in(group + "/memory.max"), number_in(group + "/memory.high"));
  if (limit <= 0) return 0;
  return left(limit, number_in(group + "/memory.current"),
              numbers_of(group + "/memory.stat", {"inactive_file", "active_file"}));
}

i64 left_v1(const std::string &group) {
  constexpr i64 kNoLimit = i64{1} << 62;
  const i64 limit = number_in(group + "/memory.limit_in_bytes");
  if (limit <= 0 || limit >= kNoLimit) return 0;
  return left(limit, number_in(group + "/memory.usage_in_bytes"),
              numbers_of(group + "/memory.stat", {"total_inactive_file", "total_active_file"}));
}

// Returns at least 1, as 0 means no limit.
i64 share_of_group(i64 left) {
  const i64 most = percent(left, kOfGroup) - kBeside;
  return std::max({most, percent(left, kLeastOfGroup), i64{1}});
}

// Returns the soft limit of this process with this name; 0 if there is none.
i64 process_limit(const std::string &root, const std::string &name) {
  std::ifstream lines(root + "/proc/self/limits");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    i64 bytes = 0;
    std::istringstream(line.substr(name.size())) >> bytes;  // "unlimited" does not parse
    return bytes;
  }
  return 0;
}

// Returns the bytes of address space that can still be mapped; 0 if there is no limit.
i64 addresses_left(const std::string &root) {
  const auto left_of = [&](const char *limit_name, const char *used) {
    const i64 limit = process_limit(root, limit_name);
    return limit <= 0 ? 0 : left(limit, number_of(root + "/proc/self/status", used) * 1024, 0);
  };
  const std::string machine = root + "/proc/meminfo";
  const bool overcommits = number_in(root + "/proc/sys/vm/overcommit_memory") != 2;
  const i64 all = left_of("Max address space", "VmSize:");
  const i64 data = left_of("Max data size", "VmData:");
  const i64 commit = overcommits ? 0
                                 : left(number_of(machine, "CommitLimit:") * 1024,
                                        number_of(machine, "Committed_AS:") * 1024, 0);
  return tighter(tighter(all, data), commit);
}

i64 share_of_addresses(i64 left, i64 threads) {
  const i64 most = percent(left - kBeside - threads * kAddressesOfThread, kOfAddresses);
  return std::max({most, percent(left, kLeastOfAddresses), i64{1}});
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

namespace {

i64 share = INT64_MAX;

}  // namespace

void limit_memory_share(i64 bytes) { share = bytes; }

i64 memory_share() { return share; }

i64 available_memory(i64 threads, const std::string &root) {
  const i64 machine = number_of(root + "/proc/meminfo", "MemAvailable:") * 1024;
  const i64 group = smallest_limit(root, "memory", left_v2, left_v1);
  i64 bytes = std::min(share, machine > 0 ? percent(machine, kOfMachine) : INT64_MAX);
  if (group > 0) bytes = std::min(bytes, share_of_group(group));
  if (const i64 addresses = addresses_left(root); addresses > 0) {
    bytes = std::min(bytes, share_of_addresses(addresses, threads));
  }
  return bytes;
}

}  // namespace mrc
