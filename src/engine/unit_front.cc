#include "engine/inner/unit_front.h"

#include <algorithm>

namespace mrc {

std::vector<bool> sources_with_units(const Plan &plan) {
  std::vector<bool> all;
  for (const Source &source : plan.sources) {
    all.push_back(source.stream ? !source.followed : source.end > source.fresh());
  }
  return all;
}

UnitFront::UnitFront(std::vector<bool> has_units)
    : has_units_(std::move(has_units)), sources_(has_units_.size()) {}

void UnitFront::begin(const Unit &unit) {
  Progress &progress = sources_[static_cast<size_t>(unit.source)];
  ++progress.begun;
  if (unit.last) progress.all = unit.number + 1;
  furthest_ = std::max(furthest_, {unit.source, unit.number + 1});
}

bool UnitFront::is_gapless() const {
  const auto [source, units] = furthest_;
  for (i64 i = 0; i < source; ++i) {
    const Progress &before = sources_[static_cast<size_t>(i)];
    if (has_units_[static_cast<size_t>(i)] && before.begun != before.all) return false;
  }
  return sources_.empty() || sources_[static_cast<size_t>(source)].begun == units;
}

}  // namespace mrc
