#include "engine/tile_index.h"

namespace mrc {

void TileIndex::add(const KeptSource &source) {
  for (const KeptTile &tile : source.tiles) {
    if (tile.own == 0) continue;  // of a stream
    tiles_.try_emplace({tile.own, tile.end - tile.begin, source.reads, tile.begin == 0}, tile);
  }
}

const KeptTile *TileIndex::find(const ContentTile &tile, u64 reads) const {
  const auto found = tiles_.find({tile.own, tile.end - tile.begin, reads, tile.begin == 0});
  return found == tiles_.end() ? nullptr : &found->second;
}

}  // namespace mrc
