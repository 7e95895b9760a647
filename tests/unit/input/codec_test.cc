#include "input/inner/codec.h"

#include "support/compress.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using namespace std::string_view_literals;

TEST(Codec, IsWhatTheProgramsWrite) {
  const std::string text = log_like(1000);
  const std::pair<const char *, Codec> programs[] = {
      {"gzip -c", Codec::gzip}, {"zstd -qc", Codec::zstd},
      {"xz -c", Codec::xz},     {"bzip2 -c", Codec::bzip2},
      {"lz4 -qc", Codec::lz4},  {"lz4 -qlc", Codec::lz4},
      {"cat", Codec::none},     {"xz -c --format=lzma", Codec::none}};
  for (const auto &[command, codec] : programs) {
    for (const std::string &of : {text, std::string()}) {
      if (of.empty() && command == "cat"sv) continue;
      const std::string first = filtered(command, of);
      EXPECT_EQ(codec_of(Bytes(first).substr(0, kMagicBytes)), codec) << command;
    }
  }
  EXPECT_EQ(codec_of(Bytes(bgzipped(text, 500)).substr(0, kMagicBytes)), Codec::bgzf);
}

TEST(Codec, KnowsTheWindowOfZstd) {
  const std::string text = log_like(100000);
  const i64 size = std::ssize(text);
  auto window = [&](const char *command) { return window_of(filtered(command, text)); };
  EXPECT_EQ(window("zstd -qc --long=27"), i64{128} << 20);
  EXPECT_EQ(window("zstd -qc --long=24"), i64{16} << 20);
  EXPECT_EQ(window("gzip -c"), 0);
  EXPECT_EQ(window("cat"), 0);
  TemporaryFolder folder;
  folder.write("text", text);
  EXPECT_EQ(window_of(filtered("zstd -qc " + folder.path("text"), "")), size) << "one segment";
  folder.write("short", text.substr(0, 300));
  EXPECT_EQ(window_of(filtered("zstd -qc " + folder.path("short"), "")), 300);
}

TEST(Codec, IsNoneForTextThatBeginsAlike) {
  for (Bytes text : {""sv, "\x1f"sv, "\x1f\x8b"sv, "\x1f\x8b\x07"sv, "BZh9"sv, "BZh9 is a word\n"sv,
                     "BZh01AY&SY"sv, "\x28\xb5\x2f"sv, "\xfd\x37zXZ"sv, "PK\3\4"sv, "7z\n"sv}) {
    EXPECT_EQ(codec_of(text), Codec::none) << testing::PrintToString(text);
  }
}

TEST(Codec, IsGzipIfABlockIsNoneOfBgzf) {
  std::string block = bgzf_block("a\n");
  EXPECT_EQ(codec_of(block), Codec::bgzf);
  EXPECT_EQ(codec_of(Bytes(block).substr(0, 17)), Codec::gzip);
  block[12] = 'b';  // another extra field
  EXPECT_EQ(codec_of(block), Codec::gzip);
}

TEST(Codec, IsZstdForSkippableFrames) {
  EXPECT_EQ(codec_of("\x50\x2a\x4d\x18"sv), Codec::zstd);
  EXPECT_EQ(codec_of("\x5f\x2a\x4d\x18"sv), Codec::zstd);
  EXPECT_EQ(codec_of("\x60\x2a\x4d\x18"sv), Codec::none);
}

}  // namespace
}  // namespace mrc
