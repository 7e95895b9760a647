// Examines inputs for identify(): their files and their decompressed bytes.
#pragma once

#include "base/hash.h"
#include "input/input.h"
#include "kept/kept.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace mrc {

// Returns the stamp of an open input. Its size is the one found when the input was examined: bytes
// added since are not read, and the next run must notice them. An error if the file has shrunk
// since.
Result<FileStamp> stamp_of(const Source &source, const InputFile &file);

// Returns only device and inode, for a file that cannot be opened; zeros if it does not exist.
FileStamp place_of(const Source &source);

// True if the first bytes of the file and those before the mark are as they were kept. False if the
// fingerprint is not known. REQUIRES: not compressed, and not shorter than the mark
Result<bool> looks_like(const InputFile &file, const KeptSource &kept, const ContentHash &hash);

// The first min(Heads::kMost, length) bytes of an input.
struct Front {
  std::string bytes;
  // Why bytes are missing at the end; "": none are.
  std::string damage;
};
Result<Front> front_of(const Source &source);

// All bytes of an input that can be read.
struct Contents {
  i64 length = 0;
  u64 hash = 0;
  bool damaged = false;  // it is compressed, and its rest cannot be read
};
// Calls `at` with the hash of all bytes before each of `offsets` that the input reaches.
// REQUIRES: offsets in ascending order
Result<Contents> read_contents(const Source &source, const ContentHash &hash,
                               std::span<const i64> offsets,
                               const std::function<void(i64 offset, u64 hash)> &at);

}  // namespace mrc
