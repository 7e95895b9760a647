// engine: with tiles by content: which tiles of the inputs earlier runs have kept, and which are to
// be mapped.
#pragma once

#include "engine/content_tiles.h"
#include "engine/covered.h"
#include "kept/kept.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mrc {

// Tiles are found in whichever source and place they were. Only one at the front of its source may
// have a header: it is not found elsewhere, nor any other there. One thread.
class TileIndex {
 public:
  // What an earlier run has kept. Tiles of compressed files, which are whole sources, are left out.
  void add(const KeptSource &source);
  // Gives `kept`, which is a source of the plan, those of these tiles that are known, and returns
  // the others. Once for each source.
  std::vector<Source::Part> take(i64 source, const std::vector<ContentTile> &tiles,
                                 KeptSource *kept);

  i64 found() const { return found_; }
  i64 missing() const { return std::ssize(missing_); }
  // What was to be mapped, if this has been mapped of it. Null: its file has changed meanwhile, or
  // it is not a tile by content.
  const ContentTile *missing(const Covered &covered) const;

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
  std::map<std::pair<i64, i64>, ContentTile> missing_;  // by source of the plan and place
};

}  // namespace mrc
