// engine: finds, by their content, the tiles of the inputs that earlier runs have kept, and those
// to map.
#pragma once

#include "engine/inner/content_tiles.h"
#include "kept/kept.h"
#include "portion.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mrc {

// Finds a tile in any source and at any position. Only a tile at the front of its source may have a
// header, so tiles at the front and tiles elsewhere do not match each other. One thread.
class TileIndex {
 public:
  // Adds the tiles that an earlier run has kept, except those of compressed files, which are whole
  // sources.
  void add(const KeptSource &source);
  // Adds the known tiles among `tiles` to `kept`, which is a source of the plan, and returns the
  // parts to map. Call it once for each source.
  std::vector<Source::Part> take(i64 source, const std::vector<ContentTile> &tiles,
                                 KeptSource *kept);

  i64 found() const { return found_; }
  i64 missing() const { return std::ssize(missing_); }
  // Returns the tile that `portion` maps. Null: its file has changed meanwhile, or it is not a tile
  // by content.
  const ContentTile *missing(const Portion &portion) const;

 private:
  struct Key {
    u64 own;
    i64 length;
    u64 reads;
    bool at_front;
    bool operator==(const Key &) const = default;
  };
  struct HashOfKey {
    size_t operator()(const Key &key) const {
      return key.own ^ static_cast<u64>(key.length) * 0x9E3779B97F4A7C15 ^ key.reads;
    }
  };

  std::unordered_map<Key, KeptTile, HashOfKey> known_;
  i64 found_ = 0;
  std::map<std::pair<i64, i64>, ContentTile> missing_;  // by source of the plan and begin
};

}  // namespace mrc
