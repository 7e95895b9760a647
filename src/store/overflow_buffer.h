// store: holds records until reduce, by partition of their hashes.
#pragma once

#include "base/arena.h"
#include "store/store.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mrc {

// Settings shared by all overflow buffers of a job.
struct OverflowSpec {
  RecordShape shape;  // raw_bytes: bytes of the values of one record, if records are staged
  int partition_bits = 0;
  Seed seed;
  std::string tmpdir = "/tmp";
};

// Returns the header of the runs of these buffers.
RunHeader header_of(const OverflowSpec &spec);

// The staged records of one worker. A rare key costs the worker one append here. It is grouped only
// when its partition is reduced, in a table that fits the cache; in a table of the map phase it
// would miss the cache and would have to be merged with the tables of all other workers.
//
// The records of a partition lie in chunks that double in size; spill() moves all records to a run
// unchanged. One owner; when it is done, any thread may read.
class OverflowBuffer {
 public:
  explicit OverflowBuffer(const OverflowSpec &spec);
  // Creates a buffer with the records of a run that another process wrote from such a buffer or
  // from groups.
  static Result<std::unique_ptr<OverflowBuffer>> adopt(const OverflowSpec &spec, RunFile run);

  // Appends a RAW record for each key of the batch without a state (append_missing) or for all.
  // REQUIRES: the shape is that of the batch's values
  template <typename Key>
  void append_missing(const Batch<Key> &batch, State *const *states);
  template <typename Key>
  void append_all(const Batch<Key> &batch);
  void append(const StoredRecord &record);

  // Writes all records in memory to the run. The caller calls clear() afterwards.
  Status spill();
  // Hands the run to another process. REQUIRES: spill() has written one; no function is called
  // later
  Result<RunFile> hand_over();
  // Drops the records in memory. Keeps the memory for later records, or frees it.
  void clear(bool keep_memory);
  // Exchanges the records in memory with `other`.
  void swap_memory(OverflowBuffer *other);

  i64 records() const { return records_; }  // in memory
  i64 memory_bytes() const { return memory_.size(); }
  i64 used_bytes() const { return used_bytes_; }  // bytes of its chunks
  // Counts records in runs, including adopted ones.
  i64 spilled_records() const;
  i64 spilled_bytes() const { return run_ ? run_->bytes() : 0; }
  i64 spilled_blocks() const { return run_ ? run_->totals().blocks : 0; }
  bool is_adopted() const { return adopted_.has_value(); }
  int partition_bits() const { return spec_.partition_bits; }
  const RecordShape &shape() const { return spec_.shape; }
  const OverflowSpec &spec() const { return spec_; }

  template <typename Visit>
  void each_in_memory(i64 partition, Visit visit) const {
    each_chunk(static_cast<size_t>(partition), visit);
  }
  // Calls visit(begin, end) for all records of the partition, in memory and on disk, until it
  // returns false. They live during the call; records on disk are read into `buffer`.
  template <typename Visit>
  Status each(i64 partition, Pages *buffer, Visit visit) const;
  // Bytes of all records of the partition, in memory and on disk.
  i64 partition_bytes(i64 partition) const;
  // Estimates the keys of an adopted partition: the records of its largest block. 0 if not adopted.
  i64 adopted_keys(i64 partition) const;

 private:
  struct Chunk {
    Chunk *next;
    std::byte *end;  // the end of its records, once it is full
    std::byte *begin() { return reinterpret_cast<std::byte *>(this + 1); }
  };
  struct Cursor {
    std::byte *next = nullptr;
    std::byte *limit = nullptr;  // a record of usual size fits if it starts before this
  };
  struct Chain {
    Chunk *first = nullptr, *last = nullptr;
    i64 bytes = 0;  // size of its chunks
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
  i64 most_raw_bytes_;  // maximum size of a record that append_one() writes
  std::vector<Cursor> cursors_;
  std::vector<Chain> chains_;
  Arena memory_;
  i64 records_ = 0;
  i64 used_bytes_ = 0;

  std::optional<RunFile> file_;
  std::optional<RunWriter> run_;
  std::optional<RunReader> adopted_;      // reads file_, in place of run_
  std::vector<std::vector<i64>> blocks_;  // by partition: block numbers in the run
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
  bool goes_on = true;
  each_chunk(static_cast<size_t>(partition), [&](const std::byte *begin, const std::byte *end) {
    goes_on = goes_on && visit(begin, end);
  });
  for (i64 number : blocks_[static_cast<size_t>(partition)]) {
    if (!goes_on) return Status::ok();
    const BlockInfo &block = blocks()[static_cast<size_t>(number)];
    Result<Bytes> records = read_block(*file_, spec_.shape, block, buffer);
    if (!records.is_ok()) return records.status();
    const auto *begin = reinterpret_cast<const std::byte *>(records->data());
    goes_on = visit(begin, begin + records->size());
  }
  return Status::ok();
}

}  // namespace mrc
