// engine: what of a source has been mapped.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// Whole records of a source, side by side.
struct Covered {
  i64 source = 0;  // of the plan
  i64 begin = 0, end = 0;
  u64 content = 0;  // ContentHash
  i64 records = 0, bad_records = 0, bad_values = 0;
  bool open = false;  // the last record does not end: it may become longer

  bool is_before(const Covered &other) const {
    return source == other.source && end == other.begin;
  }
  // REQUIRES: is_before(next)
  void extend(const Covered &next);
};

// In the order of the input; what lies side by side becomes one.
std::vector<Covered> joined(std::vector<Covered> all);

// Adds a stretch that comes after all others, or begins anew elsewhere.
void add_covered(const Covered &next, std::vector<Covered> *all);

}  // namespace mrc
