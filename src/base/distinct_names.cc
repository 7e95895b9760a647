#include "base/distinct_names.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

namespace mrc {

std::vector<std::string> distinct_names(std::span<const std::string> names) {
  const std::unordered_set<std::string> all(names.begin(), names.end());
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, i64> last;  // last suffix given to a repeated name
  std::vector<std::string> distinct;
  for (const std::string &name : names) {
    std::string own = name;
    if (taken.contains(own)) {
      i64 &number = last.try_emplace(name, 1).first->second;
      do {
        own = fmt::format("{}_{}", name, ++number);
      } while (taken.contains(own) || all.contains(own));
    }
    taken.insert(own);
    distinct.push_back(std::move(own));
  }
  return distinct;
}

}  // namespace mrc
