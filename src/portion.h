// Ranges of sources that have been mapped, and the counts of their records.
#pragma once

#include "base/hash.h"
#include "base/int.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mrc {

// A range of a source that consists of whole records. The other ranges of the source may be added
// to its first one in any order.
struct Portion {
  i64 source = 0;          // index in the plan
  i64 begin = 0, end = 0;  // decompressed bytes
  u64 content = 0;         // ContentHash of the range; 0: unused
  i64 records = 0, bad_records = 0, bad_values = 0;
  bool open = false;  // the last record has no end yet: it may become longer

  bool is_before(const Portion &other) const {
    return source == other.source && end == other.begin;
  }
  bool has_bad() const { return bad_records + bad_values > 0; }
  // Adds the counts only.
  void count(const Portion &other) {
    records += other.records;
    bad_records += other.bad_records;
    bad_values += other.bad_values;
  }
  // Adds a range that begins later.
  void add(const Portion &other) {
    count(other);
    content = ContentHash::join(content, other.content);
    if (other.end < end) return;
    end = other.end;
    open = other.open;
  }
  bool operator==(const Portion &) const = default;
};

// Adds a range. If it begins at the end of the last one, extends that one.
inline void add_portion(const Portion &next, std::vector<Portion> *all) {
  const bool follows = !all->empty() && all->back().is_before(next);
  follows ? all->back().add(next) : all->push_back(next);
}

// Returns the ranges in the order of the input, with adjacent ones joined.
inline std::vector<Portion> joined(std::vector<Portion> all) {
  std::ranges::sort(all, {},
                    [](const Portion &each) { return std::pair(each.source, each.begin); });
  std::vector<Portion> portions;
  for (const Portion &next : all) add_portion(next, &portions);
  return portions;
}

}  // namespace mrc
