#include "store/inner/run_layout.h"

namespace mrc {
namespace {

[[maybe_unused]] bool is_plausible(const BlockInfo &block, const RunHeader &header) {
  return block.records > 0 && block.records >> 32 == 0 && block.lo <= block.hi &&
         block.partition_bits >= header.partition_bits && block.partition_bits <= 32 &&
         block.raw_bytes >= block.records * kRecordHead && block.raw_bytes % 4 == 0 &&
         (header.order == RunOrder::raw || block.order == header.order);
}

}  // namespace

// Writes the header with the first piece, so that a run costs no more calls than it has blocks.
Status RunWriter::append(std::vector<Bytes> pieces) {
  const HeaderBytes header = encode(header_);
  if (end_ == 0) pieces.insert(pieces.begin(), bytes_of(header));
  if (Status status = write_(end_, pieces); !status.is_ok()) return status;
  for (Bytes piece : pieces) end_ += static_cast<i64>(piece.size());
  return Status::ok();
}

Status RunWriter::add_block(BlockInfo what, std::span<const Bytes> payload) {
  what.number = static_cast<i64>(blocks_.size());
  what.offset = end_ == 0 ? static_cast<i64>(sizeof(HeaderBytes)) : end_;
  what.raw_bytes = 0;
  for (Bytes piece : payload) what.raw_bytes += static_cast<i64>(piece.size());
  what.stored_bytes = what.raw_bytes;
  what.codec = 0;
  assert(is_plausible(what, header_));
  what.checksum = block_checksum(encode(what), checksum_pieces(payload));
  const BlockBytes header = encode(what);
  std::vector<Bytes> pieces = {bytes_of(header)};
  pieces.insert(pieces.end(), payload.begin(), payload.end());
  if (Status status = append(std::move(pieces)); !status.is_ok()) return status;
  blocks_.push_back(what);
  totals_.blocks += 1;
  totals_.records += what.records;
  totals_.raw_bytes += what.raw_bytes;
  totals_.stored_bytes += what.stored_bytes;
  return Status::ok();
}

Status RunWriter::finish() {
  FooterBytes head = {};
  std::memcpy(head.magic, kFooterMagic, sizeof head.magic);
  head.head_bytes = sizeof head;
  head.blocks = static_cast<u64>(totals_.blocks);
  head.records = static_cast<u64>(totals_.records);
  head.raw_bytes = static_cast<u64>(totals_.raw_bytes);
  head.stored_bytes = static_cast<u64>(totals_.stored_bytes);
  head.entry_bytes = sizeof(EntryBytes);
  std::string footer(bytes_of(head));
  for (const BlockInfo &block : blocks_) {
    footer += bytes_of(EntryBytes{static_cast<u64>(block.offset), encode(block)});
  }
  EndBytes end = {};
  std::memcpy(end.magic, kEndMagic, sizeof end.magic);
  end.footer_bytes = footer.size() + sizeof end;
  footer += bytes_of(end.footer_bytes);
  end.checksum = checksum_bytes(footer);
  footer += bytes_of(end).substr(sizeof end.footer_bytes);
  return append({footer});
}

}  // namespace mrc
