// Maps positions in the input to line numbers.
#pragma once

#include "base/varint.h"
#include "combine/value_list.h"
#include "input/input.h"
#include "map/map.h"
#include "record.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Workers map chunks in any order, so the number of a line is unknown while it is mapped. Until
// then, its name is its chunk's position plus the number of line ends before it in the chunk (which
// is less than the chunk's size). When all chunks are known, the table counts the line ends before
// each.
class LineTable {
 public:
  // Adds a chunk. Not thread safe.
  void add(const Chunk &chunk, char terminator) {
    const i64 ends = std::count(chunk.bytes.begin(), chunk.bytes.end(), terminator);
    chunks_.push_back({position_of(chunk.source, chunk.offset), ends});
  }
  void add(const LineTable &other) {
    chunks_.insert(chunks_.end(), other.chunks_.begin(), other.chunks_.end());
  }

  // Adds one chunk that has this many line ends.
  void add(u64 position, i64 ends) { chunks_.push_back({position, ends}); }
  // Calls visit(position, ends) for each chunk. REQUIRES: not sealed
  template <typename Visit>
  void each(Visit visit) const {
    for (const ChunkLines &chunk : chunks_) visit(chunk.position, chunk.ends);
  }

  // Moves all chunks into a message, for another process to add.
  void move_to(std::string *message) {
    append_varint(chunks_.size(), message);
    for (const ChunkLines &chunk : chunks_) {
      append_varint(chunk.position, message);
      append_varint(static_cast<u64>(chunk.ends), message);
    }
    chunks_.clear();
  }
  void add(Bytes *message) {
    for (u64 left = take_varint(message); left > 0; --left) {
      const u64 position = take_varint(message);
      chunks_.push_back({position, static_cast<i64>(take_varint(message))});
    }
  }

  // Called when all chunks are added: counts the lines before each of them.
  void seal() {
    std::sort(chunks_.begin(), chunks_.end(),
              [](const auto &a, const auto &b) { return a.position < b.position; });
    i64 ends = 0, source = -1;
    for (ChunkLines &chunk : chunks_) {
      if (source_of(chunk.position) != source) ends = 0;
      source = source_of(chunk.position);
      ends += std::exchange(chunk.ends, ends);
    }
  }

  // Returns the number of a line, from 1. REQUIRES: sealed; the chunk of the line was added
  i64 line(u64 name) const {
    auto after = std::upper_bound(chunks_.begin(), chunks_.end(), name,
                                  [](u64 n, const auto &chunk) { return n < chunk.position; });
    const ChunkLines &chunk = after[-1];
    return chunk.ends + static_cast<i64>(name - chunk.position) + 1;
  }

 private:
  struct ChunkLines {
    u64 position;
    i64 ends;  // in the chunk; after seal(): before the chunk, in its input
  };
  std::vector<ChunkLines> chunks_;
};

// The result of an inverted index: the positions of each key. How positions are written; the
// context of columns that show them.
struct PositionNames {
  MapSpec::Values values = MapSpec::Values::byte;
  LineTable lines;  // sealed before anything is written
  std::span<const Source> sources;
};

}  // namespace mrc
