#include "input/stream.h"
#include "support/compress.h"
#include "support/temporary_folder.h"
#include "unit/base/encode_utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

using std::string;

struct Read {
  string text;
  string error;
};

Read read_wide(const string &path, i64 size, Codec codec = Codec::utf16) {
  Result<InputFile> file = InputFile::open({.path = path});
  BufferedReader from(std::move(*file));
  const Result<std::unique_ptr<Stream>> stream = open_stream(codec, &from);
  Read all;
  string piece(static_cast<size_t>(size), '\0');
  for (;;) {
    const Result<i64> got = (*stream)->read(piece.data(), size);
    if (!got.is_ok()) all.error = got.status().message();
    if (!got.is_ok() || *got == 0) return all;
    EXPECT_LE(*got, size);
    all.text.append(piece, 0, static_cast<size_t>(*got));
  }
}

void append_unit(u32 unit, bool big, string *out) {
  const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xff);
  out->push_back(big ? high : low);
  out->push_back(big ? low : high);
}

void append_utf16(u32 code, bool big, string *out) {
  if (code < 0x10000) return append_unit(code, big, out);
  append_unit(0xd800 + ((code - 0x10000) >> 10), big, out);
  append_unit(0xdc00 + ((code - 0x10000) & 0x3ff), big, out);
}

string with_mark(bool big) {
  string text;
  append_unit(0xfeff, big, &text);
  return text;
}

TEST(Utf16, IsReadAsUtf8WhateverTheBorders) {
  const TemporaryFolder folder;
  std::mt19937 random(1);
  for (const size_t characters : {0, 1, 2, 100, 100000}) {
    for (const bool big : {false, true}) {
      string encoded = with_mark(big), expected;
      if (random() % 2 == 0) {  // pairs of surrogates lie elsewhere
        append_utf16('x', big, &encoded);
        expected += 'x';
      }
      for (size_t i = 0; i < characters; ++i) {
        static constexpr u32 kMost[] = {0x7f, 0x7ff, 0xffff, 0x10ffff};
        u32 code = 1 + static_cast<u32>(random() % kMost[random() % 4]);
        if (code >= 0xd800 && code < 0xe000) code = '\n';
        append_utf16(code, big, &encoded);
        expected += encode_utf8(code);
      }
      const string path = folder.write("in", encoded);
      EXPECT_EQ(codec_of(Bytes(encoded).substr(0, kMagicBytes)), Codec::utf16);
      for (const i64 size : {1, 2, 3, 5, 1000, 1 << 20}) {
        if (size < 5 && characters > 1000) continue;
        const Read all = read_wide(path, size);
        EXPECT_TRUE(all.text == expected) << characters << " " << size;
        EXPECT_EQ(all.error, "");
      }
    }
  }
}

TEST(Utf16, HasReplacementsForHalvesOfPairs) {
  const TemporaryFolder folder;
  string text = with_mark(false);
  for (const u32 unit : {0xd800u, u32{'a'}, 0xdc00u, 0xd800u, 0xd83du, 0xde00u, 0xd801u}) {
    append_unit(unit, false, &text);
  }
  const Read all = read_wide(folder.write("in", text), 1000);
  EXPECT_EQ(all.text, "\uFFFDa\uFFFD\uFFFD\U0001F600\uFFFD");
  EXPECT_EQ(all.error, "");
}

TEST(Utf16, SaysIfItEndsInPartOfACharacter) {
  const TemporaryFolder folder;
  string text = with_mark(true);
  append_unit('a', true, &text);
  const string path = folder.write("in", text + string(1, '\0'));
  const Read all = read_wide(path, 1000);
  EXPECT_EQ(all.text, "a");
  EXPECT_NE(all.error.find("part of a character of UTF-16"), string::npos) << all.error;
}

string in_utf32(const std::vector<u32> &codes, bool big) {
  string text;
  for (const u32 code : codes) {
    for (int i = 0; i < 4; ++i) text.push_back(static_cast<char>(code >> 8 * (big ? 3 - i : i)));
  }
  return text;
}

TEST(Utf32, IsReadAsUtf8WhateverTheBorders) {
  const TemporaryFolder folder;
  std::vector<u32> codes = {0xfeff};
  string expected;
  for (int i = 0; i < 30000; ++i) {
    for (const u32 code : {u32{'a'}, 0xe9u, 0x20acu, 0x1f600u, 0xd800u, 0x110000u}) {
      codes.push_back(code);
      const bool is_none = code == 0xd800 || code == 0x110000;
      expected += is_none ? "\uFFFD" : encode_utf8(code);
    }
  }
  for (const bool big : {false, true}) {
    const string encoded = in_utf32(codes, big);
    EXPECT_EQ(codec_of(Bytes(encoded).substr(0, kMagicBytes)), Codec::utf32);
    const string path = folder.write("in", encoded);
    for (const i64 size : {3, 1000, 1 << 20}) {
      const Read all = read_wide(path, size, Codec::utf32);
      EXPECT_TRUE(all.text == expected) << size;
      EXPECT_EQ(all.error, "");
    }
    const Read cut = read_wide(folder.write("cut", encoded + "abc"), 1000, Codec::utf32);
    EXPECT_TRUE(cut.text == expected);
    EXPECT_NE(cut.error.find("part of a character of UTF-32"), string::npos) << cut.error;
  }
}

TEST(Utf16, IsToldFromUtf32ByZeros) {
  EXPECT_EQ(codec_of(string("\xff\xfe\0\0a\0\0\0", 8)), Codec::utf32);
  EXPECT_EQ(codec_of(string("\0\0\xfe\xff\0\0\0a", 8)), Codec::utf32);
  EXPECT_EQ(codec_of(string("\xff\xfe"
                            "a\0",
                            4)),
            Codec::utf16);
  EXPECT_EQ(codec_of("\xef\xbb\xbf"
                     "a"),
            Codec::none)
      << "UTF-8";
}

}  // namespace
}  // namespace mrc
