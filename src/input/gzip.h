// gzip, whole or in blocks, and the decoder of one member.
#pragma once

#include "base/int.h"
#include "input/stream.h"

#include <memory>

namespace mrc {

// BGZF: gzip in blocks of at most 64 KiB. Each block is a gzip member with its length in the
// header, so blocks are found without being decompressed.

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

// The decoder of one member of a gzip file. It is ISA-L, or zlib in static builds
// (MRC_PORTABLE), since Debian has no static library of ISA-L.

// Not thread safe.
class Inflater {
 public:
  struct Step {
    i64 taken = 0, made = 0;  // bytes of input and of output
    bool ended = false;       // end of the member
    const char *failure = nullptr;
  };

  Inflater();
  ~Inflater();

  // Call before each member, the first one included.
  void begin_member();
  // Decodes `in` until the input or the room ends. The next step begins with the decoded bytes that
  // did not fit.
  Step step(Bytes in, char *out, i64 room);
  // Copies the decoded bytes that did not fit, after a failure. Returns their number.
  i64 take_leftover(char *out, i64 room);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mrc
