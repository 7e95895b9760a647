// kept: results that outlive the process: a directory of runs (store/store.h), and a manifest that
// says which tiles of which sources they hold.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "portion.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Hashes of the first bytes of a source, for finding sources of equal content. Level i covers the
// first i + 1 pieces of 4 KiB; only whole pieces count. Bytes are decompressed.
struct Heads {
  static constexpr i64 kLevels = 16;
  static constexpr i64 kLeast = 4 << 10;          // a shorter source has no heads
  static constexpr i64 kMost = kLevels * kLeast;  // bytes that a reader needs
  static constexpr i64 bytes(i64 level) { return (level + 1) * kLeast; }
  // Returns the number of levels of a source of `size` bytes.
  static constexpr i64 levels_of(i64 size) { return size < kMost ? size / kLeast : kLevels; }
  // REQUIRES: `head` is the first min(kMost, size) bytes of the source
  static Heads of(Bytes head);

  i64 levels = 0;
  std::array<u64, kLevels> hash = {};

  // Returns the heads of the first `size` bytes of the source.
  Heads up_to(i64 size) const;
  bool operator==(const Heads &) const = default;
};

// Describes the bytes of a source up to its mark.
struct Fingerprint {
  static constexpr i64 kTail = 64 << 10;

  Heads heads;
  // checksum_bytes() of the last min(kTail, mark) bytes before the mark. Unset: unknown, and the
  // next run compares the whole content.
  std::optional<u64> tail;

  bool operator==(const Fingerprint &) const = default;
};

// A file as it was when it was examined. It only saves reading; the content identifies the source.
struct FileStamp {
  u64 device = 0, inode = 0;
  i64 size = 0;                          // bytes of the file, as stored
  i64 modified_ns = 0, changed_ns = 0;   // mtime and ctime since 1970
  bool packed = false;                   // the file is compressed
  u64 packed_head = 0, packed_tail = 0;  // its first and last 64 KiB, as stored

  bool operator==(const FileStamp &) const = default;
};

// A range of a source, and the blocks that hold its states. A manifest does not say the number of
// its source: each run has other numbers.
struct KeptTile : Portion {
  i64 run = -1;  // number of the run; -1: it has no states and no blocks
  i64 first_block = 0, blocks = 0;
  // For tiles by content: the hash of these bytes as if they stood at the front of a source.
  u64 own = 0;

  bool operator==(const KeptTile &) const = default;
};

struct KeptSource {
  i64 number = 0;         // never given to another source of the directory
  std::string name;       // the last path it was found at
  i64 input = 0;          // for a join: which of its inputs it is
  i64 end = 0;            // the mark: tiles cover all before it
  bool finished = false;  // it is compressed, and was read to its end
  bool open = false;      // the last record has no end: if the source grows, all is read again
  bool gone = false;      // it was not among the inputs of the last run
  Fingerprint fingerprint;
  FileStamp file;
  // Other files with all of its content or its beginning, so that they are compared only once.
  std::vector<FileStamp> copies;
  std::string format;           // how its records were read
  std::vector<KeptTile> tiles;  // contiguous, from 0 to `end`
  i64 answered = 0;             // for a checkpoint of text: how many of its records were printed
  // For tiles by content, and for a join: a hash of how its records are read.
  u64 reads = 0;

  // Returns the hash of all bytes up to the mark.
  u64 content() const;
  bool operator==(const KeptSource &) const = default;
};

// How far a job that prints text in the order of its input has printed.
struct WrittenText {
  i64 bytes = 0;            // length of the text file
  i64 source = -1;          // index of the source printed last; -1: none
  i64 lines = 0;            // lines of that source printed so far
  bool has_header = false;  // an input has a header: it is printed or held
  bool has_record = false;  // a record was printed
  std::string held = {};    // text to print before the first record

  bool operator==(const WrittenText &) const = default;
};

// The first bad record or value, in the order of the input.
struct KeptFlaw {
  u64 position = ~u64{0};  // of the record; all ones: there is none
  u64 chunk = 0;           // the position of its chunk,
  i64 line = 0;            // ... and how many line ends precede the record in it
  std::string reason, shown;

  bool operator==(const KeptFlaw &) const = default;
};

// Errors in the covered input, in addition to the counts of tiles.
struct KeptFlaws {
  i64 used = 0;  // records whose values were used
  KeptFlaw record, value;

  void add(const KeptFlaws &other);
  bool operator==(const KeptFlaws &) const = default;
};

// A file that mrc load has written (loads.h).
struct LoadedFile {
  std::string path;  // below the directory of the loads
  i64 bytes = 0, records = 0;

  bool operator==(const LoadedFile &) const = default;
};

// Describes the contents of the directory. Data only.
struct Manifest {
  static constexpr i64 kVersion = 2;  // of the format: later versions are refused

  std::string mrc_version;  // the version that wrote it
  u64 digest = 0;           // a hash of all that defines the meaning of states
  std::string job;          // the job as text, for messages: lines
  u64 content_base = 0;     // the base of ContentHash
  i64 next_run = 0;
  i64 next_source = 0;
  // The average size of tiles by content, whose states count positions from the front of the tile.
  // 0: each tile is the range that one run has read of a source, and positions count from the front
  // of the source.
  i64 tile_bytes = 0;
  std::vector<KeptSource> sources;  // in the order first seen
  // For a checkpoint: runs that together hold the states of all sources up to their marks. Then
  // tiles name no runs.
  std::vector<i64> parts;
  std::optional<WrittenText> text;  // set for a job that prints text
  KeptFlaws flaws;                  // for a checkpoint
  i64 loads = 0;                    // for mrc load: how many loads there were
  std::vector<LoadedFile> loaded;   // ... and what they have written

  // Returns the manifest of a new directory, with a random content base.
  static Manifest fresh();
  std::string to_text() const;
  // Accepts any bytes. The error completes "NAME: " and says what is damaged.
  static Result<Manifest> from_text(Bytes text);
  // Returns the numbers of all runs that it names, sorted, each once.
  std::vector<i64> runs() const;
  // True if no record is covered, so that the kinds of fields are still to be seen.
  bool covers_nothing() const;
  bool operator==(const Manifest &) const = default;
};

}  // namespace mrc
