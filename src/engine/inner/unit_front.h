// engine: says whether the units of a scan that have begun are a prefix of the input.
#pragma once

#include "engine/inner/plan.h"
#include "split/chunk_source.h"

#include <optional>
#include <utility>
#include <vector>

namespace mrc {

// For each source: true if it has units.
std::vector<bool> sources_with_units(const Plan &plan);

// Follows the units of a scan, which workers claim in the order of the input and begin soon after,
// each at its own time. Not thread safe.
class UnitFront {
 public:
  // `has_units`: for each source.
  explicit UnitFront(std::vector<bool> has_units);

  using Place = std::pair<i64, i64>;  // a source, and the number of a unit in it
  static Place place_of(const Unit &unit) { return {unit.source, unit.number}; }

  void begin(const Unit &unit);
  // No unit from here on has begun.
  Place end() const { return furthest_; }
  // True if all units before end() have begun.
  bool is_gapless() const;

 private:
  struct Progress {
    i64 begun = 0;  // units
    i64 all = -1;   // number of its units; -1: not known yet
  };

  const std::vector<bool> has_units_;
  std::vector<Progress> sources_;
  Place furthest_{0, 0};
};

}  // namespace mrc
