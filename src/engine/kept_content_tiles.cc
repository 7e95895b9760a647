// With tiles by content: files that have changed are looked at as a whole, and what is kept of
// their tiles is found by content, in whichever source and place it was.
#include "base/setting_name.h"
#include "engine/kept_inputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

// What was kept with tiles of another size has other borders, and perhaps other positions.
void KeptInputs::begin_content_tiles(std::vector<std::string> *notes) {
  const i64 before = manifest_.tile_bytes;
  manifest_.tile_bytes = spec_.tile_bytes;
  if (before != spec_.tile_bytes && !manifest_.sources.empty()) {
    manifest_.sources.clear();
    notes->push_back(fmt::format("{}: {} has changed: all is read again", spec_.path,
                                 setting_name("state-tiles")));
  }
  for (const KeptSource &source : manifest_.sources) index_.add(source);
}

// What is kept of a compressed file is what it begins with: its content has been compared.
void KeptInputs::look_again(const Identified::Input &input, Source *source) {
  if (source->stream || input.kept < 0) return;
  source->known = 0;
  --known_;
  KeptSource &kept = manifest_.sources[static_cast<size_t>(input.kept)];
  kept.tiles.clear();
  kept.end = 0;
}

std::vector<Source::Part> KeptInputs::take_tiles(i64 source, const std::vector<ContentTile> &tiles,
                                                 u64 reads) {
  std::vector<Source::Part> missing;
  KeptSource *kept = kept_of(source);
  kept->reads = reads;
  for (const ContentTile &tile : tiles) {
    const KeptTile *found = index_.find(tile, reads);
    if (found == nullptr) {
      missing.push_back({tile.begin, tile.end});
      missing_[{source, tile.begin}] = tile;
      continue;
    }
    KeptTile &taken = kept->tiles.emplace_back(*found);
    taken.begin = tile.begin, taken.end = tile.end, taken.content = tile.content;
  }
  found_tiles_ += std::ssize(kept->tiles);
  known_ += !kept->tiles.empty();
  return missing;
}

bool KeptInputs::is_missing(const Covered &covered) const {
  const auto found = missing_.find({covered.source, covered.begin});
  return found != missing_.end() && found->second.end == covered.end &&
         found->second.content == covered.content;
}

Status KeptInputs::each_tile(const std::function<Status(KeptTile *)> &visit) {
  for (const i64 kept : kept_) {
    if (kept < 0) continue;
    for (KeptTile &tile : manifest_.sources[static_cast<size_t>(kept)].tiles) {
      if (Status status = visit(&tile); !status.is_ok()) return status;
    }
  }
  return Status::ok();
}

// What could not be read leaves a gap: what follows it is not covered. Whether there is one.
bool KeptInputs::close_gaps(KeptSource *kept) {
  std::ranges::sort(kept->tiles, {}, &KeptTile::begin);
  kept->end = 0;
  for (auto tile = kept->tiles.begin(); tile != kept->tiles.end(); ++tile) {
    if (tile->begin != kept->end) {
      kept->tiles.erase(tile, kept->tiles.end());
      return true;
    }
    kept->end = tile->end;
  }
  return false;
}

}  // namespace mrc
