// The memory in use by a group includes the page cache of files that it has read, so a group that
// has read a large file seems full. The kernel frees such pages when memory is needed, so they
// count as free, as they do in MemAvailable.
//
// Limits on address space (ulimit -v, ulimit -d, and a kernel that does not overcommit) count all
// mappings, used or not: arrays that have doubled, the stacks of threads, and the allocator's
// arenas for threads.
#include "sched/inner/cgroup.h"
#include "sched/sched.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

constexpr i64 kOfMachine = 60, kOfGroup = 90;  // %
// Room for memory outside a job's limit: the kernel kills the largest process of a group that is
// full.
constexpr i64 kBeside = i64{64} << 20;
constexpr i64 kLeastOfGroup = 25;                         // %
constexpr i64 kOfAddresses = 50, kLeastOfAddresses = 10;  // %
constexpr i64 kAddressesOfThread = i64{48} << 20;

i64 percent(i64 bytes, i64 share) { return bytes / 100 * share; }

// Returns the number after `name` in a file of names and numbers; 0 if there is none.
i64 number_of(const std::string &file, const std::string &name) {
  std::ifstream lines(file);
  std::string word, rest;
  i64 number = 0;
  while (lines >> word) {
    if (word == name) return lines >> number ? number : 0;
    std::getline(lines, rest);
  }
  return 0;
}

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

// Counts memory.high as a limit: a group above it is throttled until it frees memory.
i64 left_v2(const std::string &group) {
  const std::string stat = group + "/memory.stat";
  const i64 limit = tighter(number_in(group + "/memory.max"), number_in(group + "/memory.high"));
  return left(limit, number_in(group + "/memory.current"),
              number_of(stat, "inactive_file") + number_of(stat, "active_file"));
}

i64 left_v1(const std::string &group) {
  const std::string stat = group + "/memory.stat";
  return left(number_in(group + "/memory.limit_in_bytes"),
              number_in(group + "/memory.usage_in_bytes"),
              number_of(stat, "total_inactive_file") + number_of(stat, "total_active_file"));
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
  const auto used = [&](const char *name) {
    return number_of(root + "/proc/self/status", name) * 1024;
  };
  const std::string machine = root + "/proc/meminfo";
  const bool overcommits = number_in(root + "/proc/sys/vm/overcommit_memory") != 2;
  const i64 all = left(process_limit(root, "Max address space"), used("VmSize:"), 0);
  const i64 data = left(process_limit(root, "Max data size"), used("VmData:"), 0);
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

i64 available_memory(i64 threads, const std::string &root) {
  const i64 machine = number_of(root + "/proc/meminfo", "MemAvailable:") * 1024;
  const i64 group = smallest_limit(root, "memory", left_v2, left_v1);
  i64 bytes = machine > 0 ? percent(machine, kOfMachine) : INT64_MAX;
  if (group > 0) bytes = std::min(bytes, share_of_group(group));
  if (const i64 addresses = addresses_left(root); addresses > 0) {
    bytes = std::min(bytes, share_of_addresses(addresses, threads));
  }
  return bytes;
}

}  // namespace mrc
