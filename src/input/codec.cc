#include "input/inner/codec.h"

#include "input/gzip.h"

#include <algorithm>
#include <array>
#include <string>

namespace mrc {
namespace {

using namespace std::string_view_literals;

struct Row {
  const char *program;
  const char *package;
  std::array<Bytes, 2> magics = {};
};

// Rows in the order of Codec.
constexpr Row kCodecs[] = {
    {"none", ""},
#define CODEC(name, program, package, stream, ...) {program, package, {__VA_ARGS__}},
#include "input/codecs.inc"
};

const Row &row_of(Codec codec) { return kCodecs[static_cast<size_t>(codec)]; }

// Checks for a block, or the end of an empty file, after "BZh" and a digit.
bool is_bzip2(Bytes first) {
  if (first.size() < 10 || !first.starts_with("BZh"sv)) return false;
  const Bytes mark = first.substr(4, 6);
  return first[3] >= '1' && first[3] <= '9' &&
         (mark == "\x31\x41\x59\x26\x53\x59"sv || mark == "\x17\x72\x45\x38\x50\x90"sv);
}

// True for a skippable frame, which pzstd(1) writes first.
bool is_skippable_frame(Bytes first) {
  return first.size() >= 4 && first.substr(1, 3) == "\x2a\x4d\x18"sv &&
         (static_cast<u8>(first[0]) & 0xf0) == 0x50;
}

// UTF-32 begins with the mark of UTF-16, followed by zeros.
bool is_utf32(Bytes first) { return first.starts_with("\xff\xfe\0\0"sv); }

}  // namespace

Codec codec_of(Bytes first) {
  if (is_utf32(first)) return Codec::none;
  if (bgzf_block_bytes(first) > 0) return Codec::bgzf;
  for (const Row &row : kCodecs) {
    for (Bytes magic : row.magics) {
      if (!magic.empty() && first.starts_with(magic)) return static_cast<Codec>(&row - kCodecs);
    }
  }
  if (is_bzip2(first)) return Codec::bzip2;
  return is_skippable_frame(first) ? Codec::zstd : Codec::none;
}

// Reads the window size of a frame, or the size of the frame if it is a single segment (RFC 8878,
// 3.1.1.1).
i64 window_of(Bytes first) {
  constexpr i64 kUsualWindow = i64{8} << 20;  // largest that --ultra uses without --long
  if (codec_of(first) != Codec::zstd) return 0;
  if (is_skippable_frame(first) || first.size() < 6) return kUsualWindow;
  auto byte = [&](size_t i) { return i64{static_cast<u8>(first[i])}; };
  const i64 descriptor = byte(4);
  if ((descriptor & 0x20) == 0) {
    const i64 log = 10 + (byte(5) >> 3), eighths = byte(5) & 7;
    return (i64{1} << log) / 8 * (8 + eighths);
  }
  constexpr size_t kDictionaryBytes[] = {0, 1, 2, 4}, kSizeBytes[] = {1, 2, 4, 8};
  const size_t at = 5 + kDictionaryBytes[descriptor & 3], bytes = kSizeBytes[descriptor >> 6];
  if (first.size() < at + bytes) return kUsualWindow;
  u64 size = bytes == 2 ? 256 : 0;
  for (size_t i = 0; i < bytes; ++i) size += static_cast<u64>(byte(at + i)) << 8 * i;
  return static_cast<i64>(std::min(size, u64{1} << 40));
}

bool may_be_compressed(Bytes first) {
  auto agree = [first](Bytes magic) {
    const size_t size = std::min(first.size(), magic.size());
    return !magic.empty() && first.substr(0, size) == magic.substr(0, size);
  };
  const bool fits = std::ranges::any_of(
      kCodecs, [&](const Row &row) { return std::ranges::any_of(row.magics, agree); });
  if (fits || agree("BZh"sv)) return true;
  const bool skippable = !first.empty() && (static_cast<u8>(first[0]) & 0xf0) == 0x50;
  return skippable && std::string("\x2a\x4d\x18").starts_with(first.substr(1, 3));
}

const char *codec_name(Codec codec) { return row_of(codec).program; }

const char *package_of(Codec codec) { return row_of(codec).package; }

}  // namespace mrc
