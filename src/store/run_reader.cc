#include "store/inner/run_layout.h"

#include <algorithm>

namespace mrc {
namespace {

// True if the block begins at `begin` and ends at `end` or before.
bool lies_in(const EntryBytes &entry, i64 begin, i64 end) {
  const u64 room = static_cast<u64>(end - begin);
  return entry.offset == static_cast<u64>(begin) && room >= sizeof(BlockBytes) &&
         entry.block.stored_bytes <= room - sizeof(BlockBytes) &&
         entry.block.raw_bytes <= INT64_MAX;
}

bool is_fixed_size(i64 bytes) { return bytes % 4 == 0 && bytes <= kLargestFixed; }

// Returns what this mrc does not support in a header, or null.
const char *header_fault(const HeaderBytes &bytes) {
  if (bytes.order > static_cast<u32>(RunOrder::key)) return "its order is unknown";
  if (bytes.partition_bits > 32) return "its partitions are too many";
  const bool varies = bytes.state_bytes == RecordShape::kVaries;
  if (!is_fixed_size(bytes.raw_bytes) || !(varies || is_fixed_size(bytes.state_bytes))) {
    return "its records have impossible sizes";
  }
  return nullptr;
}

// True if the partition holds `lo` and `hi`, and therefore all hashes between them.
bool is_in_partition(const BlockInfo &block) {
  if (block.partition >> block.partition_bits != 0) return false;
  if (block.order == RunOrder::key || block.partition_bits == 0) return true;
  const u64 partition = static_cast<u64>(block.partition);
  const int shift = 64 - block.partition_bits;
  return block.lo >> shift == partition && block.hi >> shift == partition;
}

// Returns what is impossible in an index entry, or null.
const char *entry_fault(const BlockInfo &block, const RunHeader &header) {
  if (block.codec != 0) return "its codec is unknown: a newer mrc compressed it";
  if (block.order > RunOrder::key) return "its order is unknown";
  if (header.order != RunOrder::raw && block.order != header.order) {
    return "its order is not that of the run";
  }
  if (block.raw_bytes != block.stored_bytes || block.raw_bytes % 4 != 0) {
    return "its lengths are impossible";
  }
  if (block.records < 1 || block.records > block.raw_bytes / kRecordHead) {
    return "its number of records is impossible";
  }
  if (block.partition_bits > 32 || block.partition_bits < header.partition_bits ||
      block.lo > block.hi || !is_in_partition(block)) {
    return "its bounds are impossible";
  }
  return nullptr;
}

// True if the records have the order and bounds that the header of their block states.
// REQUIRES: check_records() has passed `payload`; it is not empty
bool is_in_order(Bytes payload, const BlockInfo &block) {
  const auto *at = reinterpret_cast<const std::byte *>(payload.data());
  const std::byte *end = at + payload.size();
  u64 least = ~u64{0}, greatest = 0, previous = 0;
  bool ascends = true;
  for (; at != end; at = next_record(at)) {
    const u64 hash = load<u64>(at);
    ascends &= hash >= previous;
    least = std::min(least, hash);
    greatest = std::max(greatest, hash);
    previous = hash;
  }
  return least == block.lo && greatest == block.hi && (ascends || block.order == RunOrder::raw);
}

std::string place(const RunFile &file, const BlockInfo &block) {
  return file.name() + ": block " + std::to_string(block.number) + " at byte " +
         std::to_string(block.offset) + ": ";
}

// Checks the header and payload of a block, as read from the file, against the index.
Status check_block(Bytes stored, RecordShape shape, const BlockInfo &block) {
  const auto bytes = load<BlockBytes>(stored.data());
  const Bytes payload = stored.substr(sizeof bytes);
  if (block_checksum(bytes, checksum_bytes(payload)) != bytes.checksum) {
    return Status::error("its checksum is wrong; the file is damaged");
  }
  if (Bytes(bytes.magic, 4) != Bytes(kBlockMagic, 4) ||
      decode(bytes, block.number, block.offset) != block) {
    return Status::error("it is not the one of the index; the file is damaged");
  }
  if (Status status = check_records(payload, shape, block.records); !status.is_ok()) return status;
  if (!is_in_order(payload, block)) {
    return Status::error("its records are not in its bounds or not in its order");
  }
  return Status::ok();
}

}  // namespace

Result<Bytes> read_block(const RunFile &file, RecordShape shape, const BlockInfo &block,
                         Pages *into) {
  const i64 header_bytes = sizeof(BlockBytes);
  const i64 bytes = header_bytes + block.stored_bytes;
  if (into->size() < bytes + kRecordSlack) into->grow(bytes + kRecordSlack);
  Result<i64> got = file.read(block.offset, into->data(), bytes);
  if (!got.is_ok()) return got.status();
  if (*got < bytes) return Status::error(place(file, block) + "the file ends before it does");
  const Bytes stored(reinterpret_cast<const char *>(into->data()), static_cast<size_t>(bytes));
  if (Status status = check_block(stored, shape, block); !status.is_ok()) {
    return Status::error(place(file, block) + status.message());
  }
  return stored.substr(sizeof(BlockBytes));
}

Result<StoredRecord> read_first_record(const RunFile &file, RecordShape shape,
                                       const BlockInfo &block, Pages *into) {
  constexpr i64 kFront = 1024;
  const i64 size = std::min(kFront, block.stored_bytes);
  if (into->size() < kFront + kRecordSlack) into->grow(kFront + kRecordSlack);
  Result<i64> got = file.read(block.offset + i64{sizeof(BlockBytes)}, into->data(), size);
  if (!got.is_ok()) return got.status();
  StoredRecord record;
  const std::byte *first = into->data();
  const bool has_head = *got >= kRecordHead + 8;  // the size of a long head
  const i64 length = has_head ? next_record(first) - first : 0;
  if (length > 0 && length <= *got) {
    const Bytes alone(reinterpret_cast<const char *>(first), static_cast<size_t>(length));
    if (check_records(alone, shape, 1).is_ok()) {
      read_record(first, shape, &record);
      return record;
    }
  }
  Result<Bytes> records = read_block(file, shape, block, into);
  if (!records.is_ok()) return records.status();
  read_record(reinterpret_cast<const std::byte *>(records->data()), shape, &record);
  return record;
}

Status RunReader::damaged(const std::string &what) const {
  return Status::error(file_->name() + ": " + what + "; the file is damaged");
}

Result<RunReader> RunReader::open(const RunFile *file) {
  RunReader reader(file);
  Result<i64> size = file->size();
  if (!size.is_ok()) return size.status();
  Result<i64> header_bytes = reader.read_header(*size);
  if (!header_bytes.is_ok()) return header_bytes.status();
  if (Status status = reader.read_footer(*header_bytes, *size); !status.is_ok()) return status;
  return reader;
}

// Returns the end of the header.
Result<i64> RunReader::read_header(i64 file_bytes) {
  HeaderBytes bytes = {};
  Result<i64> got = file_->read(0, reinterpret_cast<std::byte *>(&bytes), sizeof bytes);
  if (!got.is_ok()) return got.status();
  if (Bytes(bytes.magic, sizeof kRunMagic) != Bytes(kRunMagic, sizeof kRunMagic)) {
    return Status::error(file_->name() + ": is not a run of mrc");
  }
  if (bytes.major != kRunMajor) {
    return Status::error(file_->name() + ": has version " + std::to_string(bytes.major) +
                         " of the format, this mrc reads version 1");
  }
  const i64 size = bytes.header_bytes;
  if (size < i64{sizeof bytes} || size % 8 != 0 || size > std::min(kLargestHeader, file_bytes)) {
    return damaged("its header is cut off or of impossible length");
  }
  std::string all(static_cast<size_t>(size), '\0');
  got = file_->read(0, reinterpret_cast<std::byte *>(all.data()), size);
  if (!got.is_ok()) return got.status();
  const Bytes front = Bytes(all).substr(0, all.size() - 8);
  if (load<u64>(front.data() + front.size()) != checksum_bytes(front)) {
    return damaged("the checksum of its header is wrong");
  }
  std::memcpy(&bytes, all.data(), sizeof bytes);
  if (const char *fault = header_fault(bytes)) return damaged(fault);
  header_ = decode(bytes);
  return size;
}

Status RunReader::read_footer(i64 header_bytes, i64 file_bytes) {
  EndBytes end = {};
  const i64 room = file_bytes - header_bytes;
  if (room < i64{sizeof(FooterBytes) + sizeof end}) return damaged("it ends before its footer");
  Result<i64> got =
      file_->read(file_bytes - i64{sizeof end}, reinterpret_cast<std::byte *>(&end), sizeof end);
  if (!got.is_ok()) return got.status();
  if (Bytes(end.magic, sizeof end.magic) != Bytes(kEndMagic, sizeof kEndMagic)) {
    return damaged("it was never finished, or its end is missing");
  }
  if (end.footer_bytes < sizeof(FooterBytes) + sizeof end ||
      end.footer_bytes > static_cast<u64>(room)) {
    return damaged("its footer has an impossible length");
  }
  const i64 begin = file_bytes - static_cast<i64>(end.footer_bytes);
  std::string footer(end.footer_bytes, '\0');
  got = file_->read(begin, reinterpret_cast<std::byte *>(footer.data()), file_bytes - begin);
  if (!got.is_ok()) return got.status();
  // Beyond this point, the footer has the content that its writer wrote.
  if (checksum_bytes(Bytes(footer).substr(0, footer.size() - 16)) != end.checksum) {
    return damaged("the checksum of its footer is wrong");
  }
  return decode_footer(Bytes(footer).substr(0, footer.size() - sizeof end), header_bytes, begin);
}

// `footer` is the footer without its end. Newer minor versions may write longer heads and entries,
// and more data after the index.
Status RunReader::decode_footer(Bytes footer, i64 header_bytes, i64 footer_begin) {
  const auto head = load<FooterBytes>(footer.data());
  const u64 entry_bytes = head.entry_bytes;
  if (Bytes(head.magic, 4) != Bytes(kFooterMagic, 4) || head.head_bytes < sizeof head ||
      head.head_bytes > footer.size() || entry_bytes < sizeof(EntryBytes) ||
      head.blocks > (footer.size() - head.head_bytes) / entry_bytes) {
    return damaged("its footer makes no sense");
  }
  const char *at = footer.data() + head.head_bytes;
  i64 end = header_bytes;
  for (u64 i = 0; i < head.blocks; ++i, at += entry_bytes) {
    const auto entry = load<EntryBytes>(at);
    if (!lies_in(entry, end, footer_begin)) {
      return damaged("block " + std::to_string(i) + " is not where the one before it ends");
    }
    Status status = add_entry(decode(entry.block, static_cast<i64>(i), end));
    if (!status.is_ok()) return status;
    end += i64{sizeof(BlockBytes)} + blocks_.back().stored_bytes;
  }
  const RunTotals said = {static_cast<i64>(head.blocks), static_cast<i64>(head.records),
                          static_cast<i64>(head.raw_bytes), static_cast<i64>(head.stored_bytes)};
  if (end != footer_begin) return damaged("its blocks end before its footer begins");
  return said == totals_ ? Status::ok() : damaged("its totals are not those of its blocks");
}

Status RunReader::add_entry(const BlockInfo &block) {
  if (const char *fault = entry_fault(block, header_)) {
    return Status::error(place(*file_, block) + fault);
  }
  if (header_.order != RunOrder::raw && !blocks_.empty() && block.lo < blocks_.back().hi) {
    return Status::error(place(*file_, block) + "it begins before the block before it ends");
  }
  blocks_.push_back(block);
  totals_.blocks += 1;
  totals_.records += block.records;
  totals_.raw_bytes += block.raw_bytes;
  totals_.stored_bytes += block.stored_bytes;
  return Status::ok();
}

}  // namespace mrc
