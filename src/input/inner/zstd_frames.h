// Frames of Zstandard, found without being decompressed.
#pragma once

#include "input/stream.h"

namespace mrc {

struct PackedFrame {
  i64 packed = 0, text = 0;  // bytes as stored, and decompressed
};

// Returns the next frame, which may be a skippable one. Returns nothing, and skips nothing, if none
// begins here, or if its size is not in its header, as in those that zstd(1) makes of pipes, or is
// larger than `most`.
PackedFrame next_zstd_frame(BufferedReader *from, i64 most);

}  // namespace mrc
