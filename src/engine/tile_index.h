// engine: tiles of earlier runs, found by their content.
#pragma once

#include "engine/content_tiles.h"
#include "kept/kept.h"

#include <unordered_map>

namespace mrc {

// Immutable once it is filled. A tile at the front of its source may have a header, and is not
// found elsewhere.
class TileIndex {
 public:
  // Tiles of plain files: those of others are whole sources.
  void add(const KeptSource &source);
  // `reads`: how the records of its source are read. Null: there is none.
  const KeptTile *find(const ContentTile &tile, u64 reads) const;

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
  std::unordered_map<Key, KeptTile, HashOfKey> tiles_;
};

}  // namespace mrc
