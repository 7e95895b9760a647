// split: divides input into tiles, each processed by one group of CPUs: the sub-jobs of
// Tiled-MapReduce (sections 4 and 5.2).
#pragma once

#include "split/chunk_source.h"
#include "split/split.h"

#include <mutex>
#include <span>
#include <vector>

namespace mrc {

// Workers of a group claim the splits of one tile, and then those of the next tile of their share.
// If none is left, the group takes a whole tile of another share, the nearest that has one, so that
// all data of a tile stays in the cache of one group. Blocks of streams, which any worker may
// claim, belong to the tile that the worker's group has open. Thread safe.
class TileQueue {
 public:
  // `splits` are ordered by share and outlive the queue. A tile has at least `tile_bytes` bytes and
  // at least one split.
  TileQueue(std::span<const Split> splits, const Shares &shares, i64 tile_bytes);

  // Returns null if no splits are left.
  const Split *claim(i64 group, TilePlace *place);
  TilePlace claim_block(i64 group, i64 bytes);

  // Number of tiles that groups took from other shares.
  i64 stolen_tiles() const { return stolen_; }

 private:
  struct Stretch {
    i64 next = 0, end = 0;  // a range of splits
  };
  struct Group {
    Stretch share, open;
    TilePlace place = {.number = -1};
    i64 units = 0, bytes = 0;  // sizes of its open tile
  };

  Group &group(i64 number) { return groups_[static_cast<size_t>(number)]; }
  Stretch take_tile(Stretch *share) const;
  bool open_tile(i64 group);
  TilePlace enter(Group *group, i64 bytes, bool begins);

  const std::span<const Split> splits_;
  const std::vector<std::vector<i64>> others_;
  const i64 tile_bytes_;
  std::mutex mutex_;
  std::vector<Group> groups_;
  i64 stolen_ = 0;
};

}  // namespace mrc
