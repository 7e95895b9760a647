#include "store/inner/run_layout.h"

#include <algorithm>

namespace mrc {
namespace {

template <size_t n>
void set(char (&to)[n], const char (&from)[n]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

}  // namespace

HeaderBytes encode(const RunHeader &header) {
  HeaderBytes bytes = {};
  set(bytes.magic, kRunMagic);
  bytes.major = kRunMajor;
  bytes.minor = kRunMinor;
  bytes.header_bytes = sizeof bytes;
  bytes.hash_id = header.hash_id;
  bytes.plan = header.plan;
  bytes.seed[0] = header.seed.a;
  bytes.seed[1] = header.seed.b;
  bytes.order = static_cast<u32>(header.order);
  bytes.partition_bits = static_cast<u32>(header.partition_bits);
  bytes.raw_bytes = static_cast<u32>(header.shape.raw_bytes);
  bytes.state_bytes = static_cast<u32>(header.shape.state_bytes);
  bytes.checksum = checksum_bytes(bytes_of(bytes).substr(0, sizeof bytes - 8));
  return bytes;
}

BlockBytes encode(const BlockInfo &block) {
  BlockBytes bytes = {};
  set(bytes.magic, kBlockMagic);
  bytes.records = static_cast<u32>(block.records);
  bytes.raw_bytes = static_cast<u64>(block.raw_bytes);
  bytes.stored_bytes = static_cast<u64>(block.stored_bytes);
  bytes.codec = static_cast<u8>(block.codec);
  bytes.order = static_cast<u8>(block.order);
  bytes.partition_bits = static_cast<uint16_t>(block.partition_bits);
  bytes.partition = static_cast<u32>(block.partition);
  bytes.lo = block.lo;
  bytes.hi = block.hi;
  bytes.checksum = block.checksum;
  return bytes;
}

RunHeader decode(const HeaderBytes &bytes) {
  RunHeader header;
  header.plan = bytes.plan;
  header.seed = {bytes.seed[0], bytes.seed[1]};
  header.hash_id = bytes.hash_id;
  header.order = static_cast<RunOrder>(bytes.order);
  header.partition_bits = static_cast<int>(bytes.partition_bits);
  header.shape = {bytes.raw_bytes, bytes.state_bytes};
  return header;
}

BlockInfo decode(const BlockBytes &bytes, i64 number, i64 offset) {
  BlockInfo block;
  block.order = static_cast<RunOrder>(bytes.order);
  block.partition_bits = bytes.partition_bits;
  block.partition = bytes.partition;
  block.records = bytes.records;
  block.lo = bytes.lo;
  block.hi = bytes.hi;
  block.number = number;
  block.offset = offset;
  block.raw_bytes = static_cast<i64>(bytes.raw_bytes);
  block.stored_bytes = static_cast<i64>(bytes.stored_bytes);
  block.codec = bytes.codec;
  block.checksum = bytes.checksum;
  return block;
}

u64 block_checksum(BlockBytes header, u64 payload_checksum) {
  header.checksum = payload_checksum;
  return checksum_bytes(bytes_of(header));
}

}  // namespace mrc
