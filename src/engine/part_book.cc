#include "engine/inner/part_book.h"

#include <algorithm>

namespace mrc {

PartBook::PartBook(const std::vector<Source> &sources, const std::vector<Split> &splits) {
  for (i64 source = 0; source < std::ssize(sources); ++source) {
    for (const Source::Part &part : sources[static_cast<size_t>(source)].parts) {
      tiles_.push_back({source, part.begin});
    }
  }
  for (const Split &split : splits) {
    const i64 tile = tile_of(split.source, split.begin);
    if (tile >= 0) ++tiles_[static_cast<size_t>(tile)].left;
  }
}

i64 PartBook::tile_of(i64 source, i64 begin) const {
  const auto place = [](const Tile &tile) { return std::pair(tile.source, tile.begin); };
  const auto after = std::ranges::upper_bound(tiles_, std::pair(source, begin), {}, place);
  if (after == tiles_.begin() || (after - 1)->source != source) return -1;
  return after - 1 - tiles_.begin();
}

bool PartBook::leave(i64 tile, i64 units) {
  i64 &left = tiles_[static_cast<size_t>(tile)].left;
  left -= units;
  return left == 0;
}

}  // namespace mrc
