#include "engine/inner/tile_book.h"

#include <algorithm>

namespace mrc {

i64 TileBook::add_tile() {
  tiles_.emplace_back();
  return std::ssize(tiles_) - 1;
}

// Adds the source to the open tile.
void TileBook::begin_stretch(i64 source, Progress *progress) {
  if (open_ < 0 || tile_bytes_ == 0) open_ = add_tile();
  progress->borders.push_back({progress->next, open_});
  tile(open_).sources.push_back(source);
}

// Units may enter in another order than they were claimed in. So a tile ends after the furthest
// unit, and a unit that enters late still belongs to it: a tile has one stretch of each source.
i64 TileBook::enter(const Unit &unit) {
  Progress &progress = sources_[unit.source];
  std::vector<Border> &borders = progress.borders;
  const bool is_old = unit.number < progress.next;
  const bool is_first = borders.empty() || (tile_bytes_ > 0 && borders.back().tile != open_);
  if (!is_old && is_first) begin_stretch(unit.source, &progress);
  const auto after = std::ranges::upper_bound(borders, unit.number, {}, &Border::first);
  const i64 number = (after - 1)->tile;
  Tile &its = tile(number);
  ++its.entered;
  its.bytes += unit.end - unit.begin;
  progress.furthest = std::max(progress.furthest, unit.number + 1);
  if (tile_bytes_ == 0 && unit.last) {
    its.units = unit.number + 1;
    its.is_closed = true;
  } else if (tile_bytes_ > 0 && number == open_ && its.bytes >= tile_bytes_) {
    end_tile();
  }
  return number;
}

bool TileBook::end_tile() {
  if (open_ < 0) return false;
  Tile &its = tile(open_);
  for (const i64 source : its.sources) {
    Progress &progress = sources_[source];
    its.units += progress.furthest - progress.next;
    progress.next = progress.furthest;
  }
  its.is_closed = true;
  open_ = -1;
  return completes(&its);
}

bool TileBook::leave(i64 number, i64 units) {
  Tile &its = tile(number);
  its.left += units;
  return completes(&its);
}

bool TileBook::completes(Tile *its) {
  if (its->is_done || !its->is_closed || its->left < its->units) return false;
  its->is_done = true;
  return true;
}

std::vector<i64> TileBook::close() {
  std::vector<i64> complete;
  for (i64 number = 0; number < std::ssize(tiles_); ++number) {
    Tile &its = tile(number);
    if (its.is_done || its.left < its.entered) continue;
    its.is_done = true;
    complete.push_back(number);
  }
  return complete;
}

}  // namespace mrc
