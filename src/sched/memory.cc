// What a group uses includes the pages of files that it has read: a group that has read
// a large file seems to be full. The kernel takes such pages back when memory is
// wanted, so they count as free, as they do in MemAvailable.
#include "sched/cgroup.h"
#include "sched/sched.h"

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace mrc {
namespace {

constexpr i64 kOfMachine = 60, kOfGroup = 90;  // %
// What a process may take beside the memory it is told to keep within: a group that is full
// has its largest process killed.
constexpr i64 kBeside = i64{64} << 20;
constexpr i64 kLeastOfGroup = 25;  // %

i64 percent(i64 bytes, i64 share) { return bytes / 100 * share; }

// The number after `name` in a file of names and numbers; 0 if there is none.
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

// At least 1: 0 would be no limit.
i64 left(i64 limit, i64 used, i64 of_files) {
  if (limit <= 0) return 0;
  return std::clamp<i64>(limit - std::max<i64>(0, used - of_files), 1, limit);
}

i64 left_v2(const std::string &group) {
  const std::string stat = group + "/memory.stat";
  return left(number_in(group + "/memory.max"), number_in(group + "/memory.current"),
              number_of(stat, "inactive_file") + number_of(stat, "active_file"));
}

i64 left_v1(const std::string &group) {
  const std::string stat = group + "/memory.stat";
  return left(number_in(group + "/memory.limit_in_bytes"),
              number_in(group + "/memory.usage_in_bytes"),
              number_of(stat, "total_inactive_file") + number_of(stat, "total_active_file"));
}

// At least 1: 0 would be no limit.
i64 share_of_group(i64 left) {
  const i64 most = percent(left, kOfGroup) - kBeside;
  return std::max({most, percent(left, kLeastOfGroup), i64{1}});
}

}  // namespace

i64 available_memory(const std::string &root) {
  const i64 machine = number_of(root + "/proc/meminfo", "MemAvailable:") * 1024;
  const i64 group = smallest_limit(root, "memory", left_v2, left_v1);
  i64 bytes = machine > 0 ? percent(machine, kOfMachine) : INT64_MAX;
  if (group > 0) bytes = std::min(bytes, share_of_group(group));
  return bytes;
}

}  // namespace mrc
