#include "split/inner/tile_queue.h"

#include <utility>

namespace mrc {

TileQueue::TileQueue(std::span<const Split> splits, const Shares &shares, i64 tile_bytes)
    : splits_(splits), others_(shares.others), tile_bytes_(tile_bytes) {
  i64 begin = 0;
  for (const i64 end : shares.ends) {
    groups_.emplace_back().share = {begin, end};
    begin = end;
  }
}

const Split *TileQueue::claim(i64 number, TilePlace *place) {
  const std::lock_guard lock(mutex_);
  Group &its = group(number);
  const bool begins = its.open.next == its.open.end;
  if (begins && !open_tile(number)) return nullptr;
  const Split &split = splits_[static_cast<size_t>(its.open.next++)];
  *place = enter(&its, split.end - split.begin, begins);
  return &split;
}

TilePlace TileQueue::claim_block(i64 number, i64 bytes) {
  const std::lock_guard lock(mutex_);
  Group &its = group(number);
  return enter(&its, bytes, its.bytes >= tile_bytes_);
}

// Opens a tile of the group's own share, or of the nearest share with splits left.
bool TileQueue::open_tile(i64 number) {
  Group &its = group(number);
  its.open = take_tile(&its.share);
  if (its.open.next < its.open.end) return true;
  for (const i64 other : others_[static_cast<size_t>(number)]) {
    its.open = take_tile(&group(other).share);
    if (its.open.next == its.open.end) continue;
    ++stolen_;
    return true;
  }
  return false;
}

TileQueue::Stretch TileQueue::take_tile(Stretch *share) const {
  Stretch taken{share->next, share->next};
  for (i64 bytes = 0; taken.end < share->end && bytes < tile_bytes_; ++taken.end) {
    const Split &split = splits_[static_cast<size_t>(taken.end)];
    bytes += split.end - split.begin;
  }
  share->next = taken.end;
  return taken;
}

TilePlace TileQueue::enter(Group *its, i64 bytes, bool begins) {
  if (begins || its->place.number < 0) {
    ++its->place.number;
    its->place.units_before = std::exchange(its->units, 0);
    its->bytes = 0;
  } else {
    its->place.units_before = 0;
  }
  ++its->units;
  its->bytes += bytes;
  return its->place;
}

}  // namespace mrc
