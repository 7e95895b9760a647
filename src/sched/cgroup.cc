#include "sched/inner/cgroup.h"

#include <algorithm>
#include <fstream>

namespace mrc {
namespace {

i64 smaller(i64 a, i64 b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

i64 smallest_upwards(const std::string &mount, std::string group, GroupLimit read) {
  i64 smallest = 0;
  for (;;) {
    smallest = smaller(smallest, read(mount + group));
    if (group.empty()) return smallest;
    group.resize(group.find_last_of('/'));
  }
}

}  // namespace

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

}  // namespace mrc
