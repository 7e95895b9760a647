#include "input/inner/binary_format.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

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
constexpr BinaryFormat kImage = {"an image", "strings {}"};
constexpr BinaryFormat kPackets = {"a capture of packets", "tcpdump -nr {}"};
constexpr BinaryFormat kUtf32 = {"in UTF-32", "iconv -f UTF-32 {}"};
constexpr BinaryFormat kLittleUtf16 = {"in UTF-16 without a byte order mark",
                                       "iconv -f UTF-16LE {}"};
constexpr BinaryFormat kBigUtf16 = {"in UTF-16 without a byte order mark", "iconv -f UTF-16BE {}"};

// The first row that matches decides. Text does not begin like any of these.
constexpr BinaryRow kRows[] = {
    {"PAR1"sv, {"a Parquet file", "duckdb -csv -c \"FROM 'FILE'\"", true}},
    {"SQLite format 3\0"sv,
     {"an SQLite database", "sqlite3 -csv -header {} 'SELECT * FROM TABLE'"}},
    {kZip, kOffice, kFirstName, "[Content_Types].xml"sv},
    {kZip, kOffice, kFirstName, "_rels/"sv},
    {kZip, {"an OpenDocument file or e-book", "unzip -p {} content.xml"}, kFirstName, "mimetype"sv},
    {kZip, {"a ZIP archive", "unzip -p {}"}},
    {"PK\x05\x06"sv, {"a ZIP archive", "unzip -p {}"}},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, kOffice},
    {""sv, {"a tar archive", "tar -xOf {}"}, kTarMagic, "ustar"sv},
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
    {"\xff\xfe\0\0"sv, kUtf32},
    {"\0\0\xfe\xff"sv, kUtf32},
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
  if (format.into_pipe) return Status::error(fmt::format("{}{} | mrc ...", start, format.way));
  const char quote = std::string_view(format.way).find('\'') == std::string_view::npos ? '\'' : '"';
  return Status::error(
      fmt::format("{}{} {}{}{}", start, setting_name("input-cmd"), quote, format.way, quote));
}

}  // namespace mrc
