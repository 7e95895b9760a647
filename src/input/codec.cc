#include "input/inner/codec.h"

#include "base/setting_name.h"
#include "input/gzip.h"

#include <fmt/format.h>

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

using namespace std::string_view_literals;

// Matches an input that begins with `front` and has `inside` at offset `at`.
struct BinaryRow {
  Bytes front;
  BinaryFormat format;
  size_t at = 0;
  Bytes inside = {};
};

constexpr Bytes kZip = "PK\x03\x04"sv;
constexpr size_t kFirstName = 30, kTarMagic = 257;  // offsets in a ZIP and in a tar archive

constexpr BinaryFormat kOffice = {"an Office document", "in2csv {}"};
constexpr BinaryFormat kZipArchive = {"a ZIP archive", "unzip -p {}", false, false, true};
constexpr BinaryFormat kImage = {"an image", "strings {}"};
constexpr BinaryFormat kPackets = {"a capture of packets", "tcpdump -nr {}"};
constexpr BinaryFormat kLittleUtf16 = {"in UTF-16 without a byte order mark",
                                       "iconv -f UTF-16LE {}"};
constexpr BinaryFormat kBigUtf16 = {"in UTF-16 without a byte order mark", "iconv -f UTF-16BE {}"};

// The first row that matches decides. Text does not begin like any of these.
constexpr BinaryRow kRows[] = {
    {"\x89MRCX\r\n\x1a"sv,
     {"a range index", "jobs find it by the file that it belongs to", false, true}},
    {"PAR1"sv, {"a Parquet file", "duckdb -csv -c \"FROM 'FILE'\"", true}},
    {"SQLite format 3\0"sv,
     {"an SQLite database", "sqlite:{}?table=NAME", false, false, false, false, true}},
    {kZip, kOffice, kFirstName, "[Content_Types].xml"sv},
    {kZip, kOffice, kFirstName, "_rels/"sv},
    {kZip, {"an OpenDocument file or e-book", "unzip -p {} content.xml"}, kFirstName, "mimetype"sv},
    {kZip, kZipArchive},
    {"PK\x05\x06"sv, kZipArchive},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, kOffice},
    {""sv, {"a tar archive", "tar -xOf {}", false, false, false, true}, kTarMagic, "ustar"sv},
    {"7z\xbc\xaf\x27\x1c"sv, {"a 7z archive", "7z x -so {}"}},
    {"Rar!\x1a\x07"sv, {"a RAR archive", "unrar p -inul {}"}},
    {"!<arch>\n"sv, {"an ar archive", "ar p {}"}},
    {"\x1f\x9d"sv, {"compressed by compress(1)", "zcat {}"}},
    {"LZIP\x01"sv, {"compressed by lzip(1)", "lzip -dc {}"}},
    {"\x89LZO\0\r\n\x1a\n"sv, {"compressed by lzop(1)", "lzop -dc {}"}},
    {"%PDF-"sv, {"a PDF document", "pdftotext -layout {} -"}},
    {"\x7f"
     "ELF"sv,
     {"a program or library (ELF)", "strings {}"}},
    {"LPKSHHRH"sv, {"a file of the systemd journal", "journalctl --file {}"}},
    {"ElfFile\0"sv, {"a Windows event log", "evtx_dump {}"}},
    {"Obj\x01"sv, {"an Avro file", "avro-tools tojson {}"}},
    {"\xd4\xc3\xb2\xa1"sv, kPackets},
    {"\xa1\xb2\xc3\xd4"sv, kPackets},
    {"\x0a\x0d\x0d\x0a"sv, kPackets},
    {"\x89PNG\r\n\x1a\n"sv, kImage},
    {"\xff\xd8\xff"sv, kImage},
    {"GIF87a"sv, kImage},
    {"GIF89a"sv, kImage},
    {"II*\0"sv, kImage},
    {"MM\0*"sv, kImage},
    {"RIFF"sv, kImage, 8, "WEBP"sv},
};

// Requires a zero byte before the magic of a tar archive: its fields are padded with zeros.
bool fits(Bytes first, const BinaryRow &row) {
  if (!first.starts_with(row.front)) return false;
  if (row.inside.empty()) return true;
  const bool padded = row.at != kTarMagic || first.find('\0') < kTarMagic;
  return padded && first.size() > row.at && first.substr(row.at).starts_with(row.inside);
}

// Checks the header that follows "BM", which alone may begin a word: only a few header sizes exist.
bool is_bitmap(Bytes first) {
  if (first.size() < 18 || !first.starts_with("BM"sv)) return false;
  const Bytes reserved = first.substr(6, 4), rest = first.substr(15, 3);
  const auto size = static_cast<u8>(first[14]);
  return reserved == "\0\0\0\0"sv && rest == "\0\0\0"sv && (size == 12 || size >= 40);
}

// True if every second byte is 0 and no other is: mostly ASCII, in UTF-16.
bool alternates(Bytes first, size_t zeros) {
  constexpr size_t kLeast = 8;
  const size_t size = first.size() / 2 * 2;
  if (size < kLeast) return false;
  for (size_t i = 0; i < size; ++i) {
    if ((first[i] == '\0') != (i % 2 == zeros)) return false;
  }
  return true;
}

}  // namespace

Codec codec_of(Bytes first) {
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

bool is_wide(Codec codec) { return codec == Codec::utf16 || codec == Codec::utf32; }

const char *codec_name(Codec codec) { return row_of(codec).program; }

const char *package_of(Codec codec) { return row_of(codec).package; }

const BinaryFormat *binary_format_of(Bytes first) {
  for (const BinaryRow &row : kRows) {
    if (fits(first, row)) return &row.format;
  }
  if (is_bitmap(first)) return &kImage;
  if (alternates(first, 1)) return &kLittleUtf16;
  return alternates(first, 0) ? &kBigUtf16 : nullptr;
}

Status refuse_binary(const BinaryFormat &format, const std::string &source_name) {
  const std::string start =
      fmt::format("{}: is {}, not plain text; to read it use ", source_name, format.what);
  if (format.is_own) {
    return Status::error(fmt::format("{}: is {}: {}", source_name, format.what, format.way));
  }
  if (format.has_tables) {
    std::string form = format.way;
    return Status::error(start + form.replace(form.find("{}"), 2, source_name));
  }
  if (format.into_pipe) return Status::error(fmt::format("{}{} | mrc ...", start, format.way));
  const char quote = std::string_view(format.way).find('\'') == std::string_view::npos ? '\'' : '"';
  return Status::error(
      fmt::format("{}{} {}{}{}", start, setting_name("input-cmd"), quote, format.way, quote));
}

Status refuse_member(const BinaryFormat &format, const std::string &source_name) {
  return Status::error(
      fmt::format("{}: is {} in an archive, not plain text; extract it", source_name, format.what));
}

}  // namespace mrc
