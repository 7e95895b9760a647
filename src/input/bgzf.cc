#include "input/bgzf.h"

#include <cstring>

namespace mrc {
namespace {

using namespace std::string_view_literals;

constexpr i64 kHeader = 18;
constexpr i64 kTrailer = 8;
constexpr u32 kMostUnpacked = u32{1} << 16;

u16 load16(const char *at) {
  u16 value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

u32 load32(const char *at) {
  u32 value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

// Requires the extra field "BC", two bytes long, to come first: bgzip(1) writes no other, and files
// with others are read like any gzip file.
i64 bgzf_block_bytes(Bytes first) {
  if (std::ssize(first) < kHeader || !first.starts_with("\x1f\x8b\x08\x04"sv)) return 0;
  if (load16(first.data() + 10) != 6 || first.substr(12, 4) != "BC\2\0"sv) return 0;
  const i64 bytes = i64{load16(first.data() + 16)} + 1;
  return bytes > kHeader + kTrailer ? bytes : 0;
}

BgzfRange next_bgzf_range(BufferedReader *from, i64 most) {
  BgzfRange range;
  i64 bytes = 0;
  for (;;) {
    Result<Bytes> seen = from->peek(bytes + kHeader);
    if (!seen.is_ok() || std::ssize(*seen) < bytes + kHeader) break;
    const i64 block = bgzf_block_bytes(seen->substr(static_cast<size_t>(bytes)));
    if (block == 0) break;
    seen = from->peek(bytes + block);
    if (!seen.is_ok() || std::ssize(*seen) < bytes + block) break;
    const u32 unpacked = load32(seen->data() + bytes + block - 4);
    if (unpacked > kMostUnpacked || (bytes > 0 && range.unpacked + unpacked > most)) break;
    bytes += block;
    range.unpacked += unpacked;
  }
  range.packed = from->buffered().substr(0, static_cast<size_t>(bytes));
  return range;
}

}  // namespace mrc
