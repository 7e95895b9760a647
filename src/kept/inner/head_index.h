// Counts the contents of which one may be the beginning of the other, by their heads.
#pragma once

#include "kept/kept.h"

#include <unordered_map>

namespace mrc {

// Two contents meet if their heads agree on all levels that both have. To count them without
// comparing each pair, heads are paths down a tree: contents meet if one path is a prefix of the
// other.
class HeadIndex {
 public:
  void add(const Heads &heads) {
    for (i64 level = 0; level < heads.levels; ++level) ++passing_[node(heads, level)];
    if (heads.levels > 0) ++ending_[node(heads, heads.levels - 1)];
  }
  // Returns how many of the added heads meet `heads`.
  i64 meeting(const Heads &heads) const {
    if (heads.levels == 0) return 0;
    i64 count = count_in(passing_, node(heads, heads.levels - 1));
    for (i64 level = 0; level + 1 < heads.levels; ++level) {
      count += count_in(ending_, node(heads, level));
    }
    return count;
  }

 private:
  using Counts = std::unordered_map<u64, i64>;

  static u64 node(const Heads &heads, i64 level) {
    return heads.hash[static_cast<size_t>(level)] + static_cast<u64>(level);
  }
  static i64 count_in(const Counts &counts, u64 at) {
    const auto found = counts.find(at);
    return found == counts.end() ? 0 : found->second;
  }

  Counts passing_, ending_;
};

}  // namespace mrc
