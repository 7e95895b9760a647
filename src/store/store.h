// store: stored records, in blocks, become runs on disk, and come back checked.
// The bytes of a run are specified in mrc-state(5).
#pragma once

#include "base/hash.h"
#include "base/pages.h"
#include "base/status.h"
#include "store/record_format.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// An open file that a run is written to or read from, and its name for messages.
// All functions but commit() and rest() may be called by several threads at the same time.
class RunFile {
 public:
  // A file without a name in `tmpdir`: it is gone when it is closed, however the
  // process ends. Errors say that --tmpdir is what to change.
  static Result<RunFile> temporary(const std::string &tmpdir);
  // A file that gets its name with commit(). Until then it is PATH.part, which is
  // removed with the RunFile, and overwritten by the next one if the process dies.
  // The owner of the folder of `path` keeps two processes from writing it at once.
  static Result<RunFile> create(const std::string &path);
  // An existing file, for reading.
  static Result<RunFile> open(const std::string &path);

  RunFile(RunFile &&other) noexcept;
  RunFile &operator=(RunFile &&) = delete;
  ~RunFile();

  // Forces the file and its new name to disk.
  // REQUIRES: create() made it; all has been written; not called before
  Status commit();

  // A temporary file that another process has made in that folder, and handed over.
  static RunFile adopt(int fd, const std::string &tmpdir);
  // To hand it over, or to read it in other ways.
  int fd() const { return fd_; }

  // Closes a file that has its name, for many cannot be open at once: read() opens it each time.
  // REQUIRES: no other function runs
  void rest();

  // Writes `pieces`, one after the other. What is written before an error is
  // undefined, but nothing before `offset` changes.
  Status write(i64 offset, std::span<const Bytes> pieces) const;
  // How many of `bytes` bytes there were at `offset`: fewer only at the end of the file.
  Result<i64> read(i64 offset, std::byte *to, i64 bytes) const;
  Result<i64> size() const;
  // The path; of a temporary file, that of its folder.
  const std::string &name() const { return name_; }

 private:
  RunFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  Status write_error(int errno_value) const;

  int fd_;
  std::string name_;
  bool is_temporary_ = false;
  std::string part_;  // the name until commit(); empty if there is none to remove
};

// How the records of a block, or the blocks of a run, follow each other.
enum class RunOrder : u8 {
  raw = 0,   // as they came
  hash = 1,  // by hash
  key = 2,   // by key; the hash field of records holds the first eight bytes of the
             // key as a number, most significant first
};

// The hash function of this version of mrc: image folds and XXH3 (map/key_image.h).
inline constexpr u32 kHashId = 1;

// What holds for all of a run. The reader of one that another process wrote compares
// `plan`, and `hash_id` and `seed` where it goes on using the hashes.
struct RunHeader {
  u64 plan = 0;  // fingerprint of all that gives states and keys their meaning
  Seed seed = {};
  u32 hash_id = kHashId;
  // hash, key: all blocks have this order, and each begins where the one before it
  // ends or later. raw: blocks have any orders, and follow each other in any.
  RunOrder order = RunOrder::raw;
  int partition_bits = 0;  // no block spans two partitions of so many bits
  RecordShape shape = {};
};

// One block of a run.
struct BlockInfo {
  // Set by its writer:
  RunOrder order = RunOrder::raw;
  int partition_bits = 0;  // up to 32
  i64 partition = 0;       // the top bits of all hashes, unless ordered by key
  i64 records = 0;         // at least one, less than 2^32
  u64 lo = 0, hi = 0;      // the least and the greatest hash (or prefix)
  // Filled in when it is written:
  i64 number = 0;
  i64 offset = 0;        // of its header in the file
  i64 raw_bytes = 0;     // of the records
  i64 stored_bytes = 0;  // of the payload: the same, as there are no codecs yet
  int codec = 0;
  u64 checksum = 0;

  bool operator==(const BlockInfo &) const = default;
};

struct RunTotals {
  i64 blocks = 0;
  i64 records = 0;
  i64 raw_bytes = 0;
  i64 stored_bytes = 0;

  bool operator==(const RunTotals &) const = default;
};

// Writes a run, front to back. One thread. A run that is read by this process only
// needs no finish(): as soon as add_block() has returned, any thread that has been
// handed the BlockInfo (copied: blocks() moves) may read_block() it.
class RunWriter {
 public:
  // REQUIRES: `file` outlives this and nothing else writes to it.
  RunWriter(const RunFile *file, const RunHeader &header)
      : RunWriter([file](i64 at, std::span<const Bytes> pieces) { return file->write(at, pieces); },
                  header) {}
  // To something else, in which `pieces` are to follow what was written before, `at` bytes.
  using Write = std::function<Status(i64 at, std::span<const Bytes> pieces)>;
  RunWriter(Write write, const RunHeader &header) : write_(std::move(write)), header_(header) {}

  // Appends a block; `payload` is its records, in pieces that may be cut anywhere.
  // A block that failed is not part of the run: it may be added again.
  Status add_block(BlockInfo what, std::span<const Bytes> payload);
  Status add_block(const BlockInfo &what, Bytes payload) { return add_block(what, {&payload, 1}); }
  // Writes index and totals; the run is complete, but not forced to disk. Once.
  Status finish();

  const std::vector<BlockInfo> &blocks() const { return blocks_; }
  const RunTotals &totals() const { return totals_; }
  // Written so far.
  i64 bytes() const { return end_; }

 private:
  Status append(std::vector<Bytes> pieces);

  Write write_;
  RunHeader header_;
  std::vector<BlockInfo> blocks_;
  RunTotals totals_;
  i64 end_ = 0;
};

// The records of a block: checked against its checksum, its structure, its order and
// its bounds, so that read_record() may go through them. They lie in `into`, which
// grows if need be, with kRecordSlack after them. Any thread.
Result<Bytes> read_block(const RunFile &file, RecordShape shape, const BlockInfo &block,
                         Pages *into);

// The first record of a block, read without the others if it is short: then it is checked by
// itself, and not against the checksum of the block. It lies in `into`. Any thread.
Result<StoredRecord> read_first_record(const RunFile &file, RecordShape shape,
                                       const BlockInfo &block, Pages *into);

// A complete run, read from any file. Immutable; any thread.
class RunReader {
 public:
  // Verifies header, footer and index; blocks are verified when they are read.
  // REQUIRES: `file` outlives the reader.
  static Result<RunReader> open(const RunFile *file);

  const RunHeader &header() const { return header_; }
  const RunTotals &totals() const { return totals_; }
  const std::vector<BlockInfo> &blocks() const { return blocks_; }
  // See the function of the same name.
  Result<Bytes> read_block(const BlockInfo &block, Pages *into) const {
    return mrc::read_block(*file_, header_.shape, block, into);
  }

 private:
  explicit RunReader(const RunFile *file) : file_(file) {}
  Result<i64> read_header(i64 file_bytes);
  Status read_footer(i64 header_bytes, i64 file_bytes);
  Status decode_footer(Bytes footer, i64 header_bytes, i64 footer_begin);
  Status add_entry(const BlockInfo &block);
  Status damaged(const std::string &what) const;

  const RunFile *file_;
  RunHeader header_;
  RunTotals totals_;
  std::vector<BlockInfo> blocks_;
};

}  // namespace mrc
