// Which input is which kept source: by content, whatever a rotation of logs has done to names
// and inodes, so that nothing is counted twice and nothing is lost.
//
// Device, inode, size and times only save reading. Contents of at least 4 KiB are the same
// source if one is the beginning of the other; shorter ones are told apart by device and inode,
// since two logs may well begin alike.
#pragma once

#include "base/content_hash.h"
#include "input/input.h"
#include "kept/kept.h"

#include <string>
#include <vector>

namespace mrc {

struct Identified {
  struct Input {
    i64 kept = -1;     // index of the kept source that it is; -1: none
    i64 same_as = -1;  // index of the input that has its content: this one is not read
    // Where to go on: the mark of the kept source. Past the end of the input: it is a beginning of
    // the kept source, whose file is gone or still being copied.
    i64 read_from = 0;
    // There is nothing to read: the file is as it was when it was kept. So a run that was
    // interrupted before it had read all of a file keeps a stamp of size 0.
    bool unchanged = false;
    // It is left for the next run, and notes say why. The kept source, if any, stays as it is.
    bool unreadable = false;
    FileStamp file;  // for the manifest; only device and inode if the file cannot be read
    // For the manifest, too: other inputs that have its content, or the beginning of it.
    std::vector<FileStamp> copies = {};
    Heads heads = {};  // as far as they had to be looked at

    bool is_read() const { return same_as < 0 && !unchanged && !unreadable; }
  };

  std::vector<Input> inputs;  // those of the call
  std::vector<i64> gone;      // kept sources that no input is, by index
  // Of these, those that have turned out to be a beginning of another source (a copy that was
  // under way): what is kept of them has been counted with the other, and is to be dropped.
  std::vector<i64> absorbed;
  std::vector<std::string> notes;  // for people, a line each
};

// How a file may have changed if its first bytes and those before the mark are the same.
enum class Change {
  growth,  // it has only grown
  // It may have changed anywhere: the caller looks at all of it. No input is taken for more than it
  // has: for a kept source that it is only a beginning of, or for a copy of a file that has changed
  // since.
  edits,
};
Identified identify(const std::vector<Source> &sources, const Manifest &manifest,
                    const ContentHash &hash, Change change = Change::growth);

// After the scan: how the source looks up to the mark, for the manifest. A plain file is read
// again, unless `input` says that it was another file when it was examined: then the tail is
// unknown. A compressed one is: give the bytes to the function below.
Result<Fingerprint> fingerprint(const Source &source, const Identified::Input &input, i64 end);
// The same from the first min(Heads::kMost, end) bytes, and the last min(Fingerprint::kTail, end)
// before `end`.
Fingerprint fingerprint_of(Bytes head, Bytes tail);

}  // namespace mrc
