#include "engine/tile_book.h"

#include <algorithm>

namespace mrc {

i64 TileBook::enter(const Unit &unit, bool is_stream) {
  const i64 bytes = unit.end - unit.begin;
  if (is_stream || tile_bytes_ == 0) return enter_stream(unit, bytes);
  return enter_file(first_units_[static_cast<size_t>(unit.source)] + unit.number, bytes);
}

i64 TileBook::add_tile() {
  tiles_.emplace_back();
  return std::ssize(tiles_) - 1;
}

// Units may come in another order than they were claimed in: the next tile begins after the
// furthest one, so that this one is a stretch of the input in any case.
i64 TileBook::enter_file(i64 index, i64 bytes) {
  if (of_files_.empty()) of_files_.push_back(add_tile());
  auto holds = [&](i64 number) { return tile(number).end < 0 || index < tile(number).end; };
  const i64 number = *std::ranges::find_if(of_files_, holds);
  furthest_ = std::max(furthest_, index);
  Tile &its = tile(number);
  ++its.entered;
  its.bytes += bytes;
  if (its.end < 0 && its.bytes >= tile_bytes_) end_tile();
  return number;
}

void TileBook::end_tile() {
  of_streams_ = -1;
  if (of_files_.empty() || tile(of_files_.back()).entered == 0) return;
  tile(of_files_.back()).end = furthest_ + 1;
  of_files_.push_back(add_tile());
  tile(of_files_.back()).begin = furthest_ + 1;
}

i64 TileBook::enter_stream(const Unit &unit, i64 bytes) {
  const auto [at, is_new] = streams_.try_emplace(unit.source);
  StreamUnits &of = at->second;
  if (is_new) {
    if (of_streams_ < 0 || tile_bytes_ == 0) of_streams_ = add_tile();
    of.tile = of_streams_;
    ++tile(of.tile).open_streams;
  }
  Tile &its = tile(of.tile);
  ++of.entered, ++its.entered;
  its.bytes += bytes;
  if (unit.last) of.all = unit.number + 1;
  if (of.entered == of.all) --its.open_streams;
  its.is_closed = its.is_closed || tile_bytes_ == 0 || its.bytes >= tile_bytes_;
  if (its.is_closed && of_streams_ == of.tile) of_streams_ = -1;
  return of.tile;
}

bool TileBook::leave(i64 number, i64 units) {
  Tile &its = tile(number);
  its.left += units;
  return is_complete_now(&its);
}

// Of files, a tile is complete when all units between its ends have left it.
bool TileBook::is_complete_now(Tile *its) {
  if (its->is_done || its->left < its->entered) return false;
  its->is_done =
      its->end >= 0 ? its->left == its->end - its->begin : its->is_closed && its->open_streams == 0;
  return its->is_done;
}

std::vector<i64> TileBook::close() {
  std::vector<i64> complete;
  for (i64 number = 0; number < std::ssize(tiles_); ++number) {
    Tile &its = tile(number);
    if (its.is_done || its.entered == 0 || its.left < its.entered) continue;
    its.is_done = true;
    complete.push_back(number);
  }
  return complete;
}

}  // namespace mrc
