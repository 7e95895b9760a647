// Finds which input is which kept source by content, so that nothing is counted twice or lost if a
// rotation of logs changes names and inodes.
//
// Device, inode, size and times only save reading. Contents of at least 4 KiB are the same source
// if one is the beginning of the other. Shorter ones are told apart by device and inode, because
// two logs may begin alike.
#pragma once

#include "base/hash.h"
#include "input/input.h"
#include "kept/kept.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

struct Identified {
  struct Input {
    i64 kept = -1;     // index of its kept source; -1: none
    i64 same_as = -1;  // index of the input with the same content: this one is not read; -1: none
    // Where reading continues: the mark of the kept source. It may exceed the end of the input,
    // which then is the beginning of a source whose file is gone or still being copied.
    i64 read_from = 0;
    // True if there is nothing to read, because the file is as it was when it was kept. (A run that
    // was interrupted before it had read a whole file keeps a stamp of size 0.)
    bool unchanged = false;
    // True if the input is left for the next run; a note says why. Its kept source, if any, stays
    // as is.
    bool unreadable = false;
    FileStamp file;  // for the manifest; only device and inode if the file cannot be read
    // For the manifest: other inputs with the same content, or the beginning of it.
    std::vector<FileStamp> copies = {};
    Heads heads = {};  // only the levels that had to be read

    bool is_read() const { return same_as < 0 && !unchanged && !unreadable; }
  };

  std::vector<Input> inputs;  // one for each source of the call
  std::vector<i64> gone;      // indices of kept sources to which no input belongs
  // Gone sources that are the beginning of another source, such as a copy that was under way: the
  // other one counts their content, so their states are to be dropped.
  std::vector<i64> absorbed;
  std::vector<std::string> notes;  // for the user, a line each
};

// How a file may have changed whose first bytes and bytes before the mark are the same.
enum class Change {
  growth,  // it has only grown
  // It may have changed anywhere, and the caller compares all of it, or it may have become shorter.
  // An input never takes over more than it has: neither a kept source of which it is only the
  // beginning, nor a copy of a file that has changed since.
  edits,
};
Identified identify(const std::vector<Source> &sources, const Manifest &manifest,
                    const ContentHash &hash, Change change = Change::growth);

// Returns how the source looks up to the mark, for the manifest, after the scan. A plain file is
// read again, unless the path now names another file than `input` describes: then the tail is
// unknown. For a compressed file, give the bytes to the function below.
Result<Fingerprint> fingerprint(const Source &source, const Identified::Input &input, i64 end);
// Returns the fingerprint of a source from its first min(Heads::kMost, end) bytes and its last
// min(Fingerprint::kTail, end) before `end`.
Fingerprint fingerprint_of(Bytes head, Bytes tail);

// Examines inputs for identify(): their files and their decompressed bytes.

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
