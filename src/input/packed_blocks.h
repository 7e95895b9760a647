// Places in a compressed file from which it can be decompressed.
#pragma once

#include "base/status.h"
#include "input/input.h"

#include <memory>
#include <vector>

namespace mrc {

// Blocks of a file that are compressed each by itself: frames of Zstandard or blocks of BGZF. Small
// neighbours count as one block.
struct PackedBlocks {
  struct Block {
    i64 text = 0, packed = 0;  // offsets of the first byte, decompressed and as stored
    bool operator==(const Block &) const = default;
  };
  Codec codec = Codec::none;
  std::vector<Block> blocks;  // in order, from the beginning on
  i64 text_bytes = 0;         // size of the decompressed file

  // Returns the block that has the byte of the decompressed file. REQUIRES: it has one
  const Block &block_at(i64 offset) const;
  // True if the blocks follow one another within the decompressed file.
  bool is_sound() const;
  bool operator==(const PackedBlocks &) const = default;
};

// Finds the blocks by their headers, without decompressing them. An error says that the file is not
// compressed in blocks, or that they are too large.
Result<PackedBlocks> find_packed_blocks(const Source &source);

// Has a compressed file read at any offset of its text, and not as a stream.
void read_by_blocks(std::shared_ptr<const PackedBlocks> blocks, Source *source);

}  // namespace mrc
