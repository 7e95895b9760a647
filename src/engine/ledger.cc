#include "engine/inner/ledger.h"

#include <algorithm>

namespace mrc {

std::vector<bool> sources_with_units(const std::vector<Source> &sources) {
  std::vector<bool> all;
  for (const Source &source : sources) {
    all.push_back(source.stream ? !source.followed : source.end > source.fresh());
  }
  return all;
}

Ledger Ledger::by_source(const std::vector<Source> &sources, const std::vector<Split> &splits) {
  Ledger ledger(0);
  ledger.has_units_ = sources_with_units(sources);
  for (i64 i = 0; i < std::ssize(sources); ++i) {
    for (const Source::Part &part : sources[static_cast<size_t>(i)].parts) {
      ledger.planned_.emplace_back(i, part.begin);
      ledger.tiles_.push_back({.is_closed = true});
    }
  }
  for (const Split &split : splits) {
    const i64 number = ledger.planned_tile(split.source, split.begin);
    if (number >= 0) ++ledger.tile(number).units;
  }
  return ledger;
}

// Returns the tile of a planned part; -1: the source has no parts.
i64 Ledger::planned_tile(i64 source, i64 begin) const {
  const auto after = std::ranges::upper_bound(planned_, std::pair(source, begin));
  if (after == planned_.begin() || (after - 1)->first != source) return -1;
  return after - 1 - planned_.begin();
}

i64 Ledger::add_tile() {
  tiles_.emplace_back();
  return std::ssize(tiles_) - 1;
}

// Adds the source to the open tile.
void Ledger::begin_stretch(i64 source, Progress *progress) {
  if (open_ < 0 || tile_bytes_ == 0) open_ = add_tile();
  progress->borders.push_back({progress->next, open_});
  tile(open_).sources.push_back(source);
}

// Units may enter in another order than they were claimed in. So a tile ends after the furthest
// unit, and a unit that enters late still belongs to it: a tile has one stretch of each source.
i64 Ledger::tile_of(const Unit &unit, Progress *progress) {
  std::vector<Border> &borders = progress->borders;
  const bool is_old = unit.number < progress->next;
  const bool is_first = borders.empty() || (tile_bytes_ > 0 && borders.back().tile != open_);
  if (!is_old && is_first) begin_stretch(unit.source, progress);
  const auto after = std::ranges::upper_bound(borders, unit.number, {}, &Border::first);
  return (after - 1)->tile;
}

i64 Ledger::enter(const Unit &unit) {
  Progress &progress = sources_[unit.source];
  const i64 planned = planned_tile(unit.source, unit.begin);
  const i64 number = planned >= 0 ? planned : tile_of(unit, &progress);
  ++progress.begun;
  progress.furthest = std::max(progress.furthest, unit.number + 1);
  if (unit.last) progress.all = unit.number + 1;
  end_ = std::max(end_, {unit.source, unit.number + 1});
  Tile &its = tile(number);
  ++its.entered;
  its.bytes += unit.end - unit.begin;
  if (tile_bytes_ == 0 && planned < 0 && unit.last) {
    its.units = unit.number + 1;
    its.is_closed = true;
  } else if (tile_bytes_ > 0 && number == open_ && its.bytes >= tile_bytes_) {
    end_tile();
  }
  return number;
}

void Ledger::end_tile() {
  if (open_ < 0) return;
  Tile &its = tile(open_);
  for (const i64 source : its.sources) {
    Progress &progress = sources_[source];
    its.units += progress.furthest - progress.next;
    progress.next = progress.furthest;
  }
  its.is_closed = true;
  open_ = -1;
  completes(&its);
}

bool Ledger::leave(i64 number, i64 units) {
  Tile &its = tile(number);
  its.left += units;
  return completes(&its);
}

bool Ledger::completes(Tile *its) {
  if (its->is_done || !its->is_closed || its->left < its->units) return false;
  its->is_done = true;
  while (front_ < std::ssize(tiles_) && tile(front_).is_done) ++front_;
  return true;
}

std::vector<i64> Ledger::close() {
  std::vector<i64> complete;
  for (i64 number = std::ssize(planned_); number < std::ssize(tiles_); ++number) {
    Tile &its = tile(number);
    if (its.is_done || its.left < its.entered) continue;
    its.is_done = true;
    complete.push_back(number);
  }
  return complete;
}

bool Ledger::is_gapless() const {
  for (const auto &[source, progress] : sources_) {
    const i64 all = source == end_.first ? end_.second : progress.all;
    if (progress.begun != all) return false;
  }
  for (i64 source = 0; source < end_.first; ++source) {
    if (has_units_[static_cast<size_t>(source)] && !sources_.contains(source)) return false;
  }
  return true;
}

}  // namespace mrc
