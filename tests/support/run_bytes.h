// Runs as strings, for tests that damage them.
#pragma once

#include "store/inner/run_layout.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace mrc {

// Everything in a file.
inline std::string all_bytes(const RunFile &file) {
  Result<i64> size = file.size();
  if (!size.is_ok()) std::abort();
  std::string bytes(static_cast<size_t>(*size), '\0');
  Result<i64> got = file.read(0, reinterpret_cast<std::byte *>(bytes.data()), *size);
  if (!got.is_ok() || *got != *size) std::abort();
  return bytes;
}

// A file of these bytes, without a name in any folder.
inline RunFile file_of(Bytes bytes) {
  const int fd = memfd_create("run", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    std::abort();
  }
  Result<RunFile> file = RunFile::open("/proc/self/fd/" + std::to_string(fd));
  if (!file.is_ok()) std::abort();
  close(fd);
  return std::move(*file);
}

// Reads all blocks and all that their records say, and returns what was wrong, without
// the name of the file. "": nothing.
inline std::string read_all(Bytes bytes) {
  const RunFile file = file_of(bytes);
  auto why = [&](const Status &status) { return status.message().substr(file.name().size() + 2); };
  Result<RunReader> reader = RunReader::open(&file);
  if (!reader.is_ok()) return why(reader.status());
  const RecordShape shape = reader->header().shape;
  Pages pages;
  std::string copy;
  for (const BlockInfo &block : reader->blocks()) {
    Result<Bytes> payload = reader->read_block(block, &pages);
    if (!payload.is_ok()) return why(payload.status());
    const auto *at = reinterpret_cast<const std::byte *>(payload->data());
    const std::byte *end = at + payload->size();
    while (at < end) {
      StoredRecord record;
      at = read_record(at, shape, &record);
      copy.assign(record.key).append(record.var);
      copy.append(reinterpret_cast<const char *>(record.fixed),
                  static_cast<size_t>(shape.fixed_bytes(record.is_state)));
    }
    if (at != end) std::abort();
  }
  return "";
}

template <typename T>
T get(const std::string &bytes, u64 at) {
  return load<T>(bytes.data() + at);
}

template <typename T>
void set(std::string *bytes, u64 at, const T &value) {
  std::memcpy(bytes->data() + at, &value, sizeof value);
}

inline u64 footer_begin(const std::string &bytes) {
  const u64 size = get<EndBytes>(bytes, bytes.size() - sizeof(EndBytes)).footer_bytes;
  return size > bytes.size() ? bytes.size() : bytes.size() - size;
}

// Makes the checksum of a header right that says how long it is.
inline void repair_header(std::string *bytes) {
  if (bytes->size() < sizeof(HeaderBytes)) return;
  const u64 size = get<HeaderBytes>(*bytes, 0).header_bytes;
  if (size < 8 || size > bytes->size()) return;
  set(bytes, size - 8, checksum_bytes(Bytes(*bytes).substr(0, size - 8)));
}

// The same for the block at `offset`.
inline void repair_block(std::string *bytes, u64 offset) {
  if (offset > bytes->size() || bytes->size() - offset < sizeof(BlockBytes)) return;
  auto block = get<BlockBytes>(*bytes, offset);
  const u64 payload = offset + sizeof block;
  if (block.stored_bytes > bytes->size() - payload) return;
  block.checksum =
      block_checksum(block, checksum_bytes(Bytes(*bytes).substr(payload, block.stored_bytes)));
  set(bytes, offset, block);
}

// The same for the footer.
inline void repair_footer(std::string *bytes) {
  const u64 begin = footer_begin(*bytes), checksum = bytes->size() - 16;
  if (begin > checksum) return;
  set(bytes, checksum, checksum_bytes(Bytes(*bytes).substr(begin, checksum - begin)));
}

// Makes all checksums right, and index entries the headers of their blocks, as far as
// `bytes` is a run: what is wrong then is not what checksums find.
inline void repair(std::string *bytes) {
  if (bytes->size() < sizeof(HeaderBytes) + sizeof(FooterBytes) + sizeof(EndBytes)) return;
  repair_header(bytes);
  const u64 entries_end = bytes->size() - sizeof(EndBytes);
  u64 entry = footer_begin(*bytes) + sizeof(FooterBytes);
  for (; entry <= entries_end && entries_end - entry >= sizeof(EntryBytes);
       entry += sizeof(EntryBytes)) {
    const u64 offset = get<u64>(*bytes, entry);
    if (offset < sizeof(HeaderBytes)) continue;
    repair_block(bytes, offset);
    if (offset <= bytes->size() - sizeof(BlockBytes)) {
      set(bytes, entry + 8, get<BlockBytes>(*bytes, offset));
    }
  }
  repair_footer(bytes);
}

// Records as the payload of a block, with its slack.
class Payload {
 public:
  explicit Payload(RecordShape shape) : shape_(shape) {}

  void add(const StoredRecord &record) {
    const i64 bytes = record_bytes(shape_, static_cast<i64>(record.key.size()), record.is_state,
                                   static_cast<i64>(record.var.size()));
    pages_.grow(size_ + bytes + kRecordSlack);
    std::byte *end = write_record(pages_.data() + size_, shape_, record);
    if (end != pages_.data() + size_ + bytes) std::abort();
    size_ += bytes;
    info_.lo = info_.records == 0 ? record.hash : std::min(info_.lo, record.hash);
    info_.hi = std::max(info_.hi, record.hash);
    info_.records += 1;
  }
  Bytes bytes() const {
    return {reinterpret_cast<const char *>(pages_.data()), static_cast<size_t>(size_)};
  }
  const BlockInfo &info() const { return info_; }

 private:
  RecordShape shape_;
  Pages pages_;
  i64 size_ = 0;
  BlockInfo info_;
};

}  // namespace mrc
