#include "engine/inner/tile_index.h"

namespace mrc {

void TileIndex::add(const KeptSource &source) {
  for (const KeptTile &tile : source.tiles) {
    if (tile.own == 0) continue;  // a stream has no such tiles
    known_.try_emplace({tile.own, tile.end - tile.begin, source.reads, tile.begin == 0}, tile);
  }
}

std::vector<Source::Part> TileIndex::take(i64 source, const std::vector<ContentTile> &tiles,
                                          KeptSource *kept) {
  std::vector<Source::Part> missing;
  for (const ContentTile &tile : tiles) {
    const auto found = known_.find({tile.own, tile.end - tile.begin, kept->reads, tile.begin == 0});
    if (found == known_.end()) {
      missing.push_back({tile.begin, tile.end});
      missing_[{source, tile.begin}] = tile;
      continue;
    }
    KeptTile &taken = kept->tiles.emplace_back(found->second);
    taken.begin = tile.begin, taken.end = tile.end, taken.content = tile.content;
    ++found_;
  }
  return missing;
}

const ContentTile *TileIndex::missing(const Portion &portion) const {
  const auto found = missing_.find({portion.source, portion.begin});
  if (found == missing_.end()) return nullptr;
  const ContentTile &tile = found->second;
  return tile.end == portion.end && tile.content == portion.content ? &tile : nullptr;
}

}  // namespace mrc
