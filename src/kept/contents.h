// How identify() looks at inputs: as files, and at their decompressed bytes.
#pragma once

#include "base/content_hash.h"
#include "input/input.h"
#include "kept/kept.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace mrc {

// Of an open input. Its size is what was found when it was examined: what came later is not
// read, and must be seen to be there the next time. An error if it has shrunk since.
Result<FileStamp> stamp_of(const Source &source, const InputFile &file);

// Of a file that cannot be opened: only its device and inode, zero if there is none.
FileStamp place_of(const Source &source);

// Whether the file begins as the source did up to its mark, and ends there as it did. False if
// that is not known. REQUIRES: not compressed, and not shorter than the mark
Result<bool> looks_like(const InputFile &file, const KeptSource &kept, const ContentHash &hash);

// The beginning of an input: min(Heads::kMost, its length) bytes.
struct Front {
  std::string bytes;
  // Why there are no more, although more should follow; "": they do, or this is all.
  std::string damage;
};
Result<Front> front_of(const Source &source);

// All bytes of an input, as far as they can be had.
struct Contents {
  i64 length = 0;
  u64 hash = 0;
  bool damaged = false;  // it is compressed, and more should follow
};
// Tells `at` the hash of all before each of `offsets` that the input reaches.
// REQUIRES: offsets in ascending order
Result<Contents> read_contents(const Source &source, const ContentHash &hash,
                               std::span<const i64> offsets,
                               const std::function<void(i64 offset, u64 hash)> &at);

}  // namespace mrc
