#include "store/overflow_buffer.h"

#include "map/key_image.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kFirstChunk = 1024;
constexpr i64 kLargestChunk = i64{32} << 10;
constexpr i64 kUsualRecord = 256;
// A block is read as a whole. Without a limit, that of a partition with most of the records would
// take as much memory as the worker that spilled it.
constexpr i64 kFullBlock = i64{1} << 20;

// Returns the maximum size of a RAW record of an image: such records are written without computing
// their size first.
i64 most_raw_bytes(const RecordShape &shape) {
  return std::max(kUsualRecord, record_bytes(shape, Key32::kLongest, false, 0));
}

}  // namespace

RunHeader header_of(const OverflowSpec &spec) {
  RunHeader header;
  header.seed = spec.seed;
  header.partition_bits = spec.partition_bits;
  header.shape = spec.shape;
  return header;
}

OverflowBuffer::OverflowBuffer(const OverflowSpec &spec)
    : spec_(spec),
      shift_(64 - spec.partition_bits),
      most_raw_bytes_(most_raw_bytes(spec.shape)),
      cursors_(size_t{1} << spec.partition_bits),
      chains_(cursors_.size()),
      blocks_(cursors_.size()) {}

Result<std::unique_ptr<OverflowBuffer>> OverflowBuffer::adopt(const OverflowSpec &spec,
                                                              RunFile run) {
  auto buffer = std::make_unique<OverflowBuffer>(spec);
  buffer->file_.emplace(std::move(run));
  Result<RunReader> reader = RunReader::open(&*buffer->file_);
  if (!reader.is_ok()) return reader.status();
  const RunHeader &header = reader->header();
  const Status foreign =
      Status::error(buffer->file_->name() + ": its records are not those of this job");
  if (header.seed != spec.seed || header.partition_bits != spec.partition_bits ||
      header.shape != spec.shape) {
    return foreign;
  }
  for (const BlockInfo &block : reader->blocks()) {
    if (block.partition_bits != spec.partition_bits) return foreign;
    buffer->blocks_[static_cast<size_t>(block.partition)].push_back(block.number);
  }
  buffer->adopted_.emplace(std::move(*reader));
  return buffer;
}

Result<RunFile> OverflowBuffer::hand_over() {
  if (Status status = run_->finish(); !status.is_ok()) return status;
  return std::move(*file_);
}

i64 OverflowBuffer::spilled_records() const {
  if (adopted_) return adopted_->totals().records;
  return run_ ? run_->totals().records : 0;
}

i64 OverflowBuffer::adopted_keys(i64 partition) const {
  i64 most = 0;
  if (!adopted_) return most;
  for (i64 number : blocks_[static_cast<size_t>(partition)]) {
    most = std::max(most, blocks()[static_cast<size_t>(number)].records);
  }
  return most;
}

// Adds a chunk with room for a record of at least `bytes` bytes.
void OverflowBuffer::add_chunk(size_t partition, i64 bytes) {
  Chain &chain = chains_[partition];
  Cursor &cursor = cursors_[partition];
  const i64 usual = std::clamp(chain.bytes, kFirstChunk, kLargestChunk);
  const i64 size = std::max(usual, bytes + most_raw_bytes_ + static_cast<i64>(sizeof(Chunk)));
  std::byte *memory = memory_.alloc(size + kRecordSlack);
  auto *chunk = reinterpret_cast<Chunk *>(memory);
  *chunk = {nullptr, nullptr};
  if (chain.last != nullptr) {
    chain.last->end = cursor.next;
    chain.last->next = chunk;
  } else {
    chain.first = chunk;
  }
  chain.last = chunk;
  chain.bytes += size;
  used_bytes_ += size + kRecordSlack;
  cursor = {chunk->begin(), memory + size - most_raw_bytes_};
}

template <typename Key>
MRC_INLINE void OverflowBuffer::append_one(const Key &key, u64 hash, const u64 *value) {
  const size_t partition = partition_of(hash);
  Cursor &cursor = cursors_[partition];
  const auto *fixed = reinterpret_cast<const std::byte *>(value);
  if (cursor.next >= cursor.limit) [[unlikely]] {
    add_chunk(partition, 0);
  }
  ++records_;
  cursor.next = write_image_record(cursor.next, spec_.shape, hash, key, false, fixed);
}
template <>
MRC_INLINE void OverflowBuffer::append_one(const KeyRef &key, u64 hash, const u64 *value) {
  append({hash, key_bytes(key), false, reinterpret_cast<const std::byte *>(value), {}});
}

template <typename Key>
void OverflowBuffer::append_missing(const Batch<Key> &batch, State *const *states) {
  const u64 *values = batch.values.data();
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i, values += batch.width) {
    if (states[i] == nullptr) append_one(batch.keys[i], batch.hashes[i], values);
  }
}

template <typename Key>
void OverflowBuffer::append_all(const Batch<Key> &batch) {
  const u64 *values = batch.values.data();
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i, values += batch.width) {
    append_one(batch.keys[i], batch.hashes[i], values);
  }
}

template void OverflowBuffer::append_missing(const Batch<Key16> &, State *const *);
template void OverflowBuffer::append_missing(const Batch<Key32> &, State *const *);
template void OverflowBuffer::append_missing(const Batch<KeyRef> &, State *const *);
template void OverflowBuffer::append_all(const Batch<Key16> &);
template void OverflowBuffer::append_all(const Batch<Key32> &);
template void OverflowBuffer::append_all(const Batch<KeyRef> &);

void OverflowBuffer::append(const StoredRecord &record) {
  const size_t partition = partition_of(record.hash);
  Cursor &cursor = cursors_[partition];
  const i64 bytes = record_bytes(spec_.shape, static_cast<i64>(record.key.size()), record.is_state,
                                 static_cast<i64>(record.var.size()));
  if (cursor.next + bytes >= cursor.limit) add_chunk(partition, bytes);
  ++records_;
  cursor.next = write_record(cursor.next, spec_.shape, record);
}

i64 OverflowBuffer::partition_bytes(i64 partition) const {
  i64 bytes = 0;
  each_chunk(static_cast<size_t>(partition),
             [&](std::byte *begin, std::byte *end) { bytes += end - begin; });
  for (i64 number : blocks_[static_cast<size_t>(partition)]) {
    bytes += blocks()[static_cast<size_t>(number)].raw_bytes;
  }
  return bytes;
}

Status OverflowBuffer::spill() {
  if (records_ == 0) return Status::ok();
  if (!file_) {
    Result<RunFile> file = RunFile::temporary(spec_.tmpdir);
    if (!file.is_ok()) return file.status();
    file_.emplace(std::move(*file));
    run_.emplace(&*file_, header_of(spec_));
  }
  for (size_t partition = 0; partition < chains_.size(); ++partition) {
    Status status = spill_partition(partition);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

void OverflowBuffer::clear(bool keep_memory) {
  std::fill(cursors_.begin(), cursors_.end(), Cursor());
  std::fill(chains_.begin(), chains_.end(), Chain());
  records_ = used_bytes_ = 0;
  keep_memory ? memory_.clear() : memory_.release();
}

void OverflowBuffer::swap_memory(OverflowBuffer *other) {
  std::swap(cursors_, other->cursors_);
  std::swap(chains_, other->chains_);
  std::swap(memory_, other->memory_);
  std::swap(records_, other->records_);
  std::swap(used_bytes_, other->used_bytes_);
}

// Writes blocks of whole chunks; a block ends once it has kFullBlock bytes.
Status OverflowBuffer::spill_partition(size_t partition) {
  std::vector<Bytes> pieces;
  i64 bytes = 0;
  Status status = Status::ok();
  each_chunk(partition, [&](const std::byte *begin, const std::byte *end) {
    pieces.push_back({reinterpret_cast<const char *>(begin), static_cast<size_t>(end - begin)});
    bytes += end - begin;
    if (bytes < kFullBlock || !status.is_ok()) return;
    status = spill_block(partition, pieces);
    pieces.clear();
    bytes = 0;
  });
  return status.is_ok() && !pieces.empty() ? spill_block(partition, pieces) : status;
}

Status OverflowBuffer::spill_block(size_t partition, std::span<const Bytes> pieces) {
  BlockInfo block;
  block.partition_bits = spec_.partition_bits;
  block.partition = static_cast<i64>(partition);
  block.lo = ~u64{0};
  for (Bytes piece : pieces) {
    const auto *begin = reinterpret_cast<const std::byte *>(piece.data());
    const std::byte *end = begin + piece.size();
    for (; begin < end; begin = next_record(begin), ++block.records) {
      block.lo = std::min(block.lo, load<u64>(begin));
      block.hi = std::max(block.hi, load<u64>(begin));
    }
  }
  blocks_[partition].push_back(std::ssize(run_->blocks()));
  return run_->add_block(block, pieces);
}

}  // namespace mrc
