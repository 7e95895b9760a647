// kept: what was made of inputs, and how far, outlives the process, in a directory of runs
// (store/store.h) and a manifest that says which tiles of which sources they hold.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// The first bytes of a source as hashes, for finding sources of equal content: level i is that of
// its first i + 1 pieces of 4 KiB, as far as it has whole ones. Decompressed bytes.
struct Heads {
  static constexpr i64 kLevels = 16;
  static constexpr i64 kLeast = 4 << 10;          // a shorter source has no heads
  static constexpr i64 kMost = kLevels * kLeast;  // what a reader needs to see
  static constexpr i64 bytes(i64 level) { return (level + 1) * kLeast; }
  // How many levels a source of so many bytes has.
  static constexpr i64 levels_of(i64 size) { return size < kMost ? size / kLeast : kLevels; }
  // REQUIRES: `head` is the first min(kMost, size) bytes of the source
  static Heads of(Bytes head);

  i64 levels = 0;
  std::array<u64, kLevels> hash = {};

  // The same, of the first `size` bytes of the source only.
  Heads up_to(i64 size) const;
  bool operator==(const Heads &) const = default;
};

// How the source looks up to its mark.
struct Fingerprint {
  static constexpr i64 kTail = 64 << 10;

  Heads heads;
  // checksum_bytes() of the last min(kTail, mark) bytes before the mark. Unknown: the whole
  // content is compared the next time.
  std::optional<u64> tail;

  bool operator==(const Fingerprint &) const = default;
};

// A file as it was when it was examined. It only saves reading: what a source is, its content says.
struct FileStamp {
  u64 device = 0, inode = 0;
  i64 size = 0;                          // of the file, as stored
  i64 modified_ns = 0, changed_ns = 0;   // mtime and ctime since 1970
  bool packed = false;                   // it is compressed
  u64 packed_head = 0, packed_tail = 0;  // its first and last 64 KiB, as stored

  bool operator==(const FileStamp &) const = default;
};

// A part of a source, and where its states are.
struct KeptTile {
  i64 begin = 0, end = 0;  // decompressed bytes of the source
  u64 content = 0;         // ContentHash of these bytes
  i64 records = 0, bad_records = 0, bad_values = 0;
  i64 run = -1;  // number of the run; -1: it has no states, and so no blocks
  i64 first_block = 0, blocks = 0;
  // With tiles by content: the hash of these bytes as if they stood at the front of a source.
  u64 own = 0;

  bool operator==(const KeptTile &) const = default;
};

struct KeptSource {
  i64 number = 0;         // never given to another source of the directory
  std::string name;       // the last path it was seen at
  i64 end = 0;            // the mark: what lies before it is covered
  bool finished = false;  // compressed, and read to its end
  bool open = false;      // the last record does not end: if there is more, all is read anew
  bool gone = false;      // it was not among the inputs of the last run
  Fingerprint fingerprint;
  FileStamp file;
  // Other files that hold all of it or its beginning, so that they are compared only once.
  std::vector<FileStamp> copies;
  std::string format;           // how its records were read
  std::vector<KeptTile> tiles;  // contiguous, from 0 to `end`
  i64 answered = 0;             // of a checkpoint of text: its records in the answer
  u64 reads = 0;                // with tiles by content: a hash of how its records are read

  // Of all its bytes up to the mark.
  u64 content() const;
  bool operator==(const KeptSource &) const = default;
};

// What a job that prints text in the order of its input has printed.
struct WrittenText {
  i64 bytes = 0;            // in the file of the text
  i64 source = -1;          // that was printed last; -1: none
  i64 lines = 0;            // of it, so far
  bool has_header = false;  // of an input; it is printed, or held
  bool has_record = false;  // is printed
  std::string held;         // what is printed before the first record

  bool operator==(const WrittenText &) const = default;
};

// What is wrong first with records or values, in the order of the input.
struct KeptFlaw {
  u64 position = ~u64{0};  // of the record; of none: beyond all
  u64 chunk = 0;           // the position of its chunk,
  i64 line = 0;            // ... and how many line ends that has before it
  std::string reason, shown;

  bool operator==(const KeptFlaw &) const = default;
};

// What is wrong with what is covered, besides the counts of tiles.
struct KeptFlaws {
  i64 used = 0;  // records whose values were looked at
  KeptFlaw record, value;

  void add(const KeptFlaws &other);
  bool operator==(const KeptFlaws &) const = default;
};

// What the directory holds. Data only.
struct Manifest {
  static constexpr i64 kVersion = 2;  // of the format: later versions are refused

  std::string mrc_version;  // that wrote it
  u64 digest = 0;           // of what gives states their meaning
  std::string job;          // the same as text, for messages: lines
  u64 content_base = 0;     // of ContentHash
  i64 next_run = 0;
  i64 next_source = 0;
  // Of tiles by content, on average. Their states count positions from the front of the tile. 0:
  // tiles are what a run has read of a source, and positions count from the front of the source.
  i64 tile_bytes = 0;
  std::vector<KeptSource> sources;  // in the order first seen
  // Of a checkpoint: runs that hold, together, the states of what all sources have up to their
  // marks. Then tiles name no runs.
  std::vector<i64> parts;
  std::optional<WrittenText> text;  // the same, of a job that makes text
  KeptFlaws flaws;                  // of a checkpoint

  // Of a new directory: a random content base.
  static Manifest fresh();
  std::string to_text() const;
  // Takes any bytes. The error completes "NAME: "; it says what is damaged.
  static Result<Manifest> from_text(Bytes text);
  // The numbers of all runs that it names, each once, in order.
  std::vector<i64> runs() const;
  bool operator==(const Manifest &) const = default;
};

}  // namespace mrc
