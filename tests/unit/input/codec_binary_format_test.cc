#include "input/inner/codec.h"
#include "support/compress.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using namespace std::string_view_literals;

string what(Bytes first) {
  const BinaryFormat *format = binary_format_of(first);
  return format == nullptr ? "" : format->what;
}

TEST(BinaryFormat, IsToldByTheFirstBytes) {
  const string zip = "PK\3\4" + string(26, 'x');
  for (const auto &[first, expected] : {
           std::pair{"PAR1\25\4"sv, "a Parquet file"},
           {"SQLite format 3\0"sv, "an SQLite database"},
           {"%PDF-1.7\n"sv, "a PDF document"},
           {"\x7f"
            "ELF\2\1\1"sv,
            "a program or library (ELF)"},
           {"\x89PNG\r\n\x1a\n\0"sv, "an image"},
           {"\xff\xd8\xff\xe0"sv, "an image"},
           {"GIF89a"sv, "an image"},
           {"RIFF\1\2\3\4WEBPVP8 "sv, "an image"},
           {"BM\1\2\3\4\0\0\0\0\x36\0\0\0\x28\0\0\0"sv, "an image"},
           {"a\0b\0c\0\n\0"sv, "in UTF-16 without a byte order mark"},
           {"\0a\0b\0c\0\n"sv, "in UTF-16 without a byte order mark"},
       }) {
    EXPECT_EQ(what(first), expected) << testing::PrintToString(first);
  }
  EXPECT_EQ(what(zip + "a.txt"), "a ZIP archive");
  EXPECT_EQ(what(zip + "[Content_Types].xml"), "an Office document");
  EXPECT_EQ(what(filtered("tar -cO -C / etc/hostname", "").substr(0, kBinaryHead)),
            "a tar archive");
}

TEST(BinaryFormat, IsNoneForTextThatBeginsAlike) {
  const string line = string(257, 'x') + "ustar\n";
  for (Bytes text : {""sv, "P"sv, "PAR\n"sv, "PK\n"sv, "BM is a word, and a long one\n"sv,
                     "RIFF and WEBP\n"sv, "GIF\n"sv, "Obj 1\n"sv, "%PDF\n"sv, "a\0b\n"sv,
                     "\0\0\0\0\0\0\0\0\0\0"sv, "2026-11-03 10:00:00 INFO a\0b\0\n"sv,
                     "\xef\xbb\xbf"
                     "a,b\n"sv,
                     Bytes(line)}) {
    EXPECT_EQ(what(text), "") << testing::PrintToString(text);
  }
}

TEST(BinaryFormat, IsRefusedInOneLineThatSaysWhatReadsIt) {
  EXPECT_EQ(refuse_binary(*binary_format_of("%PDF-1.7"), "a.pdf").message(),
            "a.pdf: is a PDF document, not plain text; to read it use input-cmd 'pdftotext -layout "
            "{} -'");
  EXPECT_EQ(refuse_binary(*binary_format_of("PAR1"), "a.parquet").message(),
            "a.parquet: is a Parquet file, not plain text; to read it use "
            "duckdb -csv -c \"FROM 'FILE'\" | mrc ...");
  EXPECT_EQ(refuse_binary(*binary_format_of("SQLite format 3\0"sv), "a.db").message(),
            "a.db: is an SQLite database, not plain text; to read it use sqlite:a.db?table=NAME");
  EXPECT_EQ(refuse_member(*binary_format_of("PK\5\6"), "a.tar:b.zip").message(),
            "a.tar:b.zip: is a ZIP archive in an archive, not plain text; extract it");
}

}  // namespace
}  // namespace mrc
