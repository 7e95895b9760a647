// store: records that wait for reduce, by partition of their hashes.
#pragma once

#include "base/arena.h"
#include "store/store.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mrc {

// What all overflow buffers of a job have in common.
struct OverflowSpec {
  RecordShape shape;  // raw_bytes: what the values of a batch take, if they are staged
  int partition_bits = 0;
  Seed seed;
  std::string tmpdir = "/tmp";
};

// The header of their runs.
RunHeader header_of(const OverflowSpec &spec);

// One worker's staged records. A key that occurs seldom costs its worker one append
// here, and is grouped once, when its partition is reduced and the table for it fits
// the cache; in a table of the map phase it would miss the cache and be merged with
// every other worker's.
//
// Records of a partition lie in chunks that double; spill() moves all of them to a
// run, as they are. One owner; when it is done, any thread may read.
class OverflowBuffer {
 public:
  explicit OverflowBuffer(const OverflowSpec &spec);
  // One that has the records of a run that another process made of such a buffer, or of groups.
  static Result<std::unique_ptr<OverflowBuffer>> adopt(const OverflowSpec &spec, RunFile run);

  // A RAW record for each key of the batch that has no state, or for all.
  // REQUIRES: the shape is that of the batch's values
  template <typename Key>
  void append_missing(const Batch<Key> &batch, State *const *states);
  template <typename Key>
  void append_all(const Batch<Key> &batch);
  void append(const StoredRecord &record);

  // Writes all records that are in memory to the run; clear() follows.
  Status spill();
  // The run, for another process. REQUIRES: spill() has written one; nothing else is called after
  Result<RunFile> hand_over();
  // Forgets the records in memory. Keeps the memory for more, or gives it back.
  void clear(bool keep_memory);
  // Takes the records in memory from `other`, and gives it its own, of which there are none.
  void swap_memory(OverflowBuffer *other);

  i64 records() const { return records_; }  // in memory
  i64 memory_bytes() const { return memory_.size(); }
  i64 used_bytes() const { return used_bytes_; }  // of it, by chunks
  // In runs, adopted ones as well.
  i64 spilled_records() const;
  i64 spilled_bytes() const { return run_ ? run_->bytes() : 0; }
  i64 spilled_blocks() const { return run_ ? run_->totals().blocks : 0; }
  bool is_adopted() const { return adopted_.has_value(); }
  int partition_bits() const { return spec_.partition_bits; }
  const RecordShape &shape() const { return spec_.shape; }

  template <typename Visit>
  void each_in_memory(i64 partition, Visit visit) const {
    each_chunk(static_cast<size_t>(partition), visit);
  }
  // Calls visit(begin, end) for records of the partition, in memory and on disk, which
  // live during the call; `buffer` is for those on disk.
  template <typename Visit>
  Status each(i64 partition, Pages *buffer, Visit visit) const;
  // Bytes of records of the partition, wherever they are.
  i64 partition_bytes(i64 partition) const;
  // How many keys of it to expect, if it was adopted: what its largest block has.
  i64 adopted_keys(i64 partition) const;

 private:
  struct Chunk {
    Chunk *next;
    std::byte *end;  // of its records, once it is full
    std::byte *begin() { return reinterpret_cast<std::byte *>(this + 1); }
  };
  struct Cursor {
    std::byte *next = nullptr;
    std::byte *limit = nullptr;  // a record of usual size that starts before it fits
  };
  struct Chain {
    Chunk *first = nullptr, *last = nullptr;
    i64 bytes = 0;  // of its chunks
  };

  size_t partition_of(u64 hash) const {
    return spec_.partition_bits == 0 ? 0 : static_cast<size_t>(hash >> shift_);
  }
  void add_chunk(size_t partition, i64 bytes);
  template <typename Key>
  void append_one(const Key &key, u64 hash, const u64 *value);
  template <typename Visit>
  void each_chunk(size_t partition, Visit visit) const;
  const std::vector<BlockInfo> &blocks() const {
    return adopted_ ? adopted_->blocks() : run_->blocks();
  }
  Status spill_partition(size_t partition);
  Status spill_block(size_t partition, std::span<const Bytes> pieces);

  OverflowSpec spec_;
  int shift_;
  i64 most_raw_bytes_;  // of a record that append_one() writes
  std::vector<Cursor> cursors_;
  std::vector<Chain> chains_;
  Arena memory_;
  i64 records_ = 0;
  i64 used_bytes_ = 0;

  std::optional<RunFile> file_;
  std::optional<RunWriter> run_;
  std::optional<RunReader> adopted_;      // of file_, in place of run_
  std::vector<std::vector<i64>> blocks_;  // by partition: numbers of blocks of the run
};

template <typename Visit>
void OverflowBuffer::each_chunk(size_t partition, Visit visit) const {
  for (Chunk *chunk = chains_[partition].first; chunk != nullptr; chunk = chunk->next) {
    const bool open = chunk == chains_[partition].last;
    std::byte *end = open ? cursors_[partition].next : chunk->end;
    if (end > chunk->begin()) visit(chunk->begin(), end);
  }
}

template <typename Visit>
Status OverflowBuffer::each(i64 partition, Pages *buffer, Visit visit) const {
  each_chunk(static_cast<size_t>(partition), visit);
  for (i64 number : blocks_[static_cast<size_t>(partition)]) {
    const BlockInfo &block = blocks()[static_cast<size_t>(number)];
    Result<Bytes> records = read_block(*file_, spec_.shape, block, buffer);
    if (!records.is_ok()) return records.status();
    const auto *begin = reinterpret_cast<const std::byte *>(records->data());
    visit(begin, begin + records->size());
  }
  return Status::ok();
}

}  // namespace mrc
