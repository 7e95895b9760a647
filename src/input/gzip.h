// BGZF: gzip in blocks of at most 64 KiB. Each block is a gzip member with its length in the
// header, so blocks are found without being decompressed.
#pragma once

#include "input/stream.h"

namespace mrc {

// Returns the length of the block that begins here, from its header to its trailer; 0 if none
// begins here.
i64 bgzf_block_bytes(Bytes first);

// Consecutive blocks.
struct BgzfRange {
  Bytes packed;      // valid until the next call of the reader
  i64 unpacked = 0;  // sum of the sizes in the trailers
};

// Returns the next blocks: at least one, up to `most` bytes. Returns nothing, and skips nothing, if
// the next block is incomplete or unreadable; a gzip stream then reports the error.
BgzfRange next_bgzf_range(BufferedReader *from, i64 most);

}  // namespace mrc
