// store: writes blocks of records to runs on disk, and reads and checks them. mrc-state(5)
// specifies the bytes of a run.
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

// An open file of a run, and its name for messages. All functions but commit() and rest() may be
// called by several threads at the same time.
class RunFile {
 public:
  // Creates a file without a name in `tmpdir`, which disappears when it is closed, even if the
  // process crashes. Errors name --tmpdir as the setting to change.
  static Result<RunFile> temporary(const std::string &tmpdir);
  // Creates a file that gets its name with commit(). Until then it is PATH.part. The destructor
  // removes that; if the process dies, the next file overwrites it. The owner of the directory of
  // `path` must keep two processes from writing it at once.
  static Result<RunFile> create(const std::string &path);
  // Opens an existing file for reading.
  static Result<RunFile> open(const std::string &path);

  RunFile(RunFile &&other) noexcept;
  RunFile &operator=(RunFile &&) = delete;
  ~RunFile();

  // Forces the file and its new name to disk.
  // REQUIRES: create() made it; all has been written; not called before
  Status commit();

  // Takes over a temporary file that another process has created in that directory.
  static RunFile adopt(int fd, const std::string &tmpdir);
  // Returns the descriptor, to hand the file to another process or to read it in other ways.
  int fd() const { return fd_; }

  // Closes a committed file, because many cannot be open at once; read() then opens it for each
  // call.
  // REQUIRES: no other function runs
  void rest();

  // Writes `pieces` one after another. After an error the bytes from `offset` on are undefined;
  // those before it are unchanged.
  Status write(i64 offset, std::span<const Bytes> pieces) const;
  // Returns how many of `bytes` bytes were read at `offset`: fewer only at the end of the file.
  Result<i64> read(i64 offset, std::byte *to, i64 bytes) const;
  Result<i64> size() const;
  // The path; for a temporary file, its directory.
  const std::string &name() const { return name_; }

 private:
  RunFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  Status write_error(int errno_value) const;

  int fd_;
  std::string name_;
  bool is_temporary_ = false;
  std::string part_;  // the name until commit(); empty: no file to remove
};

// The order of records in a block, or of blocks in a run.
enum class RunOrder : u8 {
  raw = 0,   // in the order of arrival
  hash = 1,  // by hash
  key = 2,   // by key; the hash field of records holds the first eight bytes of the
             // key as a number, most significant first
};

// The hash function of this version of mrc: image folds and XXH3 (map/key_image.h).
inline constexpr u32 kHashId = 1;

// Properties of a whole run. A reader in another process compares `plan`, and if it uses the hashes
// also `hash_id` and `seed`.
struct RunHeader {
  u64 plan = 0;  // fingerprint of all that defines the meaning of states and keys
  Seed seed = {};
  u32 hash_id = kHashId;
  // hash, key: all blocks have this order, and each begins at or after the end of the one before.
  // raw: each block may have any order, and so may their sequence.
  RunOrder order = RunOrder::raw;
  int partition_bits = 0;  // no block spans two partitions of this many bits
  RecordShape shape = {};
};

// One block of a run.
struct BlockInfo {
  // Set by its writer:
  RunOrder order = RunOrder::raw;
  int partition_bits = 0;  // up to 32
  i64 partition = 0;       // the first bits of all hashes, unless ordered by key
  i64 records = 0;         // at least one, less than 2^32
  u64 lo = 0, hi = 0;      // the lowest and the highest hash (or prefix)
  // Set by add_block():
  i64 number = 0;
  i64 offset = 0;        // of the block header in the file
  i64 raw_bytes = 0;     // bytes of the records
  i64 stored_bytes = 0;  // bytes of the payload: equal to raw_bytes, as there are no codecs yet
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

// Writes a run from beginning to end. One thread. If only this process reads the run, finish() is
// not needed: after add_block(), any thread with a copy of the BlockInfo may call read_block(). (It
// needs a copy because blocks() moves.)
class RunWriter {
 public:
  // REQUIRES: `file` outlives this and nothing else writes to it.
  RunWriter(const RunFile *file, const RunHeader &header)
      : RunWriter([file](i64 at, std::span<const Bytes> pieces) { return file->write(at, pieces); },
                  header) {}
  // Writes to another destination, which must append `pieces` to the `at` bytes written before.
  using Write = std::function<Status(i64 at, std::span<const Bytes> pieces)>;
  RunWriter(Write write, const RunHeader &header) : write_(std::move(write)), header_(header) {}

  // Appends a block; `payload` is its records, in pieces of any size. If it fails, the block is not
  // part of the run and may be added again.
  Status add_block(BlockInfo what, std::span<const Bytes> payload);
  Status add_block(const BlockInfo &what, Bytes payload) { return add_block(what, {&payload, 1}); }
  // Writes index and totals, which completes the run; does not force it to disk. Call once.
  Status finish();

  const std::vector<BlockInfo> &blocks() const { return blocks_; }
  const RunTotals &totals() const { return totals_; }
  // Bytes written so far.
  i64 bytes() const { return end_; }

 private:
  Status append(std::vector<Bytes> pieces);

  Write write_;
  RunHeader header_;
  std::vector<BlockInfo> blocks_;
  RunTotals totals_;
  i64 end_ = 0;
};

// Returns the records of a block, after checking checksum, structure, order and bounds, so that
// read_record() is safe on them. They lie in `into`, which grows if needed, followed by
// kRecordSlack bytes. Any thread.
Result<Bytes> read_block(const RunFile &file, RecordShape shape, const BlockInfo &block,
                         Pages *into);

// Returns the first record of a block. If it is short, reads no others, and checks only its
// structure and not the checksum of the block. It lies in `into`. Any thread.
Result<StoredRecord> read_first_record(const RunFile &file, RecordShape shape,
                                       const BlockInfo &block, Pages *into);

// A complete run from any file. Immutable; any thread.
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
