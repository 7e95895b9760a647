// BGZF: gzip in blocks of at most 64 KiB, each a member of its own that says in its
// header how long it is. So blocks are found without being decompressed.
#pragma once

#include "input/buffered_reader.h"

namespace mrc {

// The length of the block that begins here, from its header to its trailer; 0 if none
// does.
i64 bgzf_block_bytes(Bytes first);

// Some blocks, one after the other.
struct BgzfRange {
  Bytes packed;      // valid until the reader is asked for more
  i64 unpacked = 0;  // their decompressed size, by their trailers
};

// The blocks that come next: as many as make `most` bytes, and at least one. Nothing if
// what comes next is no whole block, or cannot be read: then it is for a gzip stream to
// say what it is. Nothing is skipped.
BgzfRange next_bgzf_range(BufferedReader *from, i64 most);

}  // namespace mrc
