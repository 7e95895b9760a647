#include "engine/covered.h"

#include "base/content_hash.h"

#include <algorithm>
#include <utility>

namespace mrc {

void Covered::extend(const Covered &next) {
  end = next.end;
  content = ContentHash::join(content, next.content);
  records += next.records;
  bad_records += next.bad_records;
  bad_values += next.bad_values;
  open = next.open;
}

void add_covered(const Covered &next, std::vector<Covered> *all) {
  const bool follows = !all->empty() && all->back().is_before(next);
  follows ? all->back().extend(next) : all->push_back(next);
}

std::vector<Covered> joined(std::vector<Covered> all) {
  std::ranges::sort(all, {}, [](const Covered &c) { return std::pair(c.source, c.begin); });
  std::vector<Covered> stretches;
  for (const Covered &next : all) add_covered(next, &stretches);
  return stretches;
}

}  // namespace mrc
