// store: the fixed parts of a run as bytes, as specified in mrc-state(5). Private to this folder
// and its tests.
#pragma once

#include "base/hash.h"
#include "store/store.h"

#include <type_traits>

namespace mrc {

inline constexpr char kRunMagic[6] = {'M', 'R', 'U', 'N', '1', '\0'};
inline constexpr char kBlockMagic[4] = {'B', 'L', 'K', '1'};
inline constexpr char kFooterMagic[4] = {'F', 'T', 'R', '1'};
inline constexpr char kEndMagic[8] = {'M', 'R', 'U', 'N', 'E', 'N', 'D', '\0'};
inline constexpr u8 kRunMajor = 1;
inline constexpr u8 kRunMinor = 0;
// Limits for any header and fixed part: larger values come from damage.
inline constexpr i64 kLargestHeader = i64{1} << 16;
inline constexpr i64 kLargestFixed = i64{1} << 20;

// These structs have no holes, as the assertions show. `reserved` is written as zeros and never
// checked, so that a newer minor version can use it.
struct HeaderBytes {
  char magic[6];
  u8 major;
  u8 minor;
  u32 header_bytes;  // size of this header, or more; a multiple of eight
  u32 hash_id;
  u64 plan;
  u64 seed[2];
  u32 order;
  u32 partition_bits;
  u32 raw_bytes;
  u32 state_bytes;
  u8 reserved[64];
  u64 checksum;  // of all bytes before it; always the last eight of the header
};
static_assert(sizeof(HeaderBytes) == 128);

struct BlockBytes {
  char magic[4];
  u32 records;
  u64 raw_bytes;
  u64 stored_bytes;
  u8 codec;
  u8 order;
  uint16_t partition_bits;
  u32 partition;
  u64 lo;
  u64 hi;
  u64 reserved;
  u64 checksum;  // of these bytes with the checksum of the payload in this field
};
static_assert(sizeof(BlockBytes) == 64);

struct FooterBytes {
  char magic[4];
  u32 head_bytes;  // size of this struct, or more
  u64 blocks;
  u64 records;
  u64 raw_bytes;
  u64 stored_bytes;
  u32 entry_bytes;  // size of an EntryBytes, or more
  u8 reserved[20];
};
static_assert(sizeof(FooterBytes) == 64);

struct EntryBytes {
  u64 offset;
  BlockBytes block;
};
static_assert(sizeof(EntryBytes) == 72);

struct EndBytes {
  u64 footer_bytes;  // from FooterBytes to the end of the file
  u64 checksum;      // of the footer up to this field
  char magic[8];
};
static_assert(sizeof(EndBytes) == 24);

template <typename T>
Bytes bytes_of(const T &layout) {
  static_assert(std::has_unique_object_representations_v<T>, "no holes");
  return {reinterpret_cast<const char *>(&layout), sizeof layout};
}

HeaderBytes encode(const RunHeader &header);
BlockBytes encode(const BlockInfo &block);
// Does not check the bytes: the caller does.
RunHeader decode(const HeaderBytes &bytes);
BlockInfo decode(const BlockBytes &bytes, i64 number, i64 offset);

// Returns the checksum of a block with this header, ignoring its checksum field.
u64 block_checksum(BlockBytes header, u64 payload_checksum);

}  // namespace mrc
