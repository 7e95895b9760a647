#include "base/text.h"
#include "unit/base/encode_utf8.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

Decoded decode(Bytes text) { return decode_utf8(text.data(), text.data() + text.size()); }

struct Example {
  Bytes text;
  u32 code;
  int size;
};

TEST(DecodeUtf8, ReadsTheFirstAndLastCharacterOfEachLength) {
  const Example examples[] = {
      {Bytes("\0", 1), 0, 1},
      {"\x7F", 0x7F, 1},
      {"\xC2\x80", 0x80, 2},
      {"\xDF\xBF", 0x7FF, 2},
      {"\xE0\xA0\x80", 0x800, 3},
      {"\xED\x9F\xBF", 0xD7FF, 3},
      {"\xEE\x80\x80", 0xE000, 3},
      {"\xEF\xBF\xBF", 0xFFFF, 3},
      {"\xF0\x90\x80\x80", 0x10000, 4},
      {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
      {"\xE2\x80\x99", 0x2019, 3},
      {"\xEF\xBB\xBF", 0xFEFF, 3},
  };
  for (const Example &example : examples) {
    EXPECT_EQ(decode(example.text).code, example.code) << std::hex << example.code;
    EXPECT_EQ(decode(example.text).size, example.size) << std::hex << example.code;
  }
}

TEST(DecodeUtf8, RefusesWhatRfc3629Forbids) {
  const Bytes examples[] = {
      "\x80",
      "\xBF",
      "\xBF\xBF",  // continuations alone
      "\xC0\x80",
      "\xC1\xBF",
      "\xC0\xAF",  // overlong
      "\xE0\x80\x80",
      "\xE0\x9F\xBF",
      "\xF0\x80\x80\x80",  // overlong
      "\xF0\x8F\xBF\xBF",  // overlong
      "\xED\xA0\x80",
      "\xED\xBF\xBF",
      "\xED\xAE\x80",  // surrogates
      "\xF4\x90\x80\x80",
      "\xF5\x80\x80\x80",
      "\xF7\xBF\xBF\xBF",  // beyond U+10FFFF
      "\xF8\x88\x80\x80",
      "\xFE",
      "\xFF",  // no lead byte
      "\xC3",
      "\xE2\x80",
      "\xF0\x9F\x92",  // truncated
      "\xE2",
      "\xF0",
      "\xF0\x9F",  // truncated
      "\xC3(",
      "\xE2(\x99",
      "\xE2\x80(",  // broken off
      "\xF0(\x92\xA9",
      "\xF0\x9F(\xA9",
      "\xF0\x9F\x92(",  // broken off
      "\xC3\xC3",
      "\xE2\x80\xE2",
      "\xF0\x9F\x92\xF0",  // lead for continuation
  };
  for (Bytes example : examples) {
    EXPECT_EQ(decode(example).size, 0) << testing::PrintToString(example);
  }
}

TEST(DecodeUtf8, NeedsAllBytesBeforeTheEnd) {
  for (Bytes whole : {"\xC3\xA9", "\xE2\x80\x99", "\xF0\x9F\x92\xA9"}) {
    for (size_t size = 1; size < whole.size(); ++size) {
      EXPECT_EQ(decode_utf8(whole.data(), whole.data() + size).size, 0);
    }
    EXPECT_EQ(decode(whole).size, static_cast<int>(whole.size()));
  }
}

TEST(DecodeUtf8, ReadsBackEveryCodePoint) {
  for (u32 code = 0; code < 0x110000; ++code) {
    const std::string text = encode_utf8(code);
    const Decoded found = decode(text);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (surrogate) {
      ASSERT_EQ(found.size, 0) << std::hex << code;
    } else {
      ASSERT_EQ(found.code, code);
      ASSERT_EQ(found.size, static_cast<int>(text.size())) << std::hex << code;
    }
  }
}

// A decoder that agrees with the encoder on all that is valid may still accept more.
TEST(DecodeUtf8, AcceptsTwoAndThreeBytesOnlyIfTheyEncodeTheirCode) {
  for (u32 bits = 0; bits < 0x1000000; bits += bits < 0x10000 ? 1 : 7) {
    const std::string text = {static_cast<char>(bits), static_cast<char>(bits >> 8),
                              static_cast<char>(bits >> 16)};
    const Decoded found = decode(text);
    if (found.size == 0) continue;
    ASSERT_EQ(encode_utf8(found.code), text.substr(0, static_cast<size_t>(found.size)))
        << std::hex << bits;
  }
}

TEST(Letters, AreAllCharactersOutsideAsciiButSignsAndPunctuation) {
  auto is_separator = [](u32 code) {
    if (code >= 0x80 && code <= 0xBF) return code != 0xAA && code != 0xB5 && code != 0xBA;
    return code == 0xD7 || code == 0xF7 || (code >= 0x2000 && code <= 0x206F) ||
           (code >= 0x3000 && code <= 0x303F) || code == 0xFEFF;
  };
  for (u32 code = 0x80; code < 0x110000; ++code) {
    ASSERT_EQ(is_letter_outside_ascii(code), !is_separator(code)) << std::hex << code;
  }
}

TEST(Letters, OfAsciiAreTwiceTwentySix) {
  for (int c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    EXPECT_EQ(is_letter(static_cast<char>(c)), letter) << c;
  }
}

TEST(LetterAt, KnowsTheEndAndInvalidBytes) {
  auto at = [](Bytes text) { return letter_at(text.data(), text.data() + text.size()); };
  EXPECT_FALSE(at(""));
  EXPECT_TRUE(at("a"));
  EXPECT_TRUE(at("Z"));
  EXPECT_FALSE(at("1"));
  EXPECT_FALSE(at("_"));
  EXPECT_FALSE(at("'"));
  EXPECT_TRUE(at("\xC3\xA9"));
  EXPECT_FALSE(at("\xC3\x97"));  // multiplication sign
  EXPECT_FALSE(at("\xC3"));
  EXPECT_FALSE(at("\xA9"));
}

TEST(IsUtf8, AgreesWithDecodingAtEveryPlace) {
  for (size_t before = 0; before < 20; ++before) {
    for (size_t after = 0; after < 20; ++after) {
      const std::string a(before, 'a'), b(after, 'b');
      EXPECT_TRUE(is_utf8(a + "\u00fc\u4f60" + b));
      EXPECT_FALSE(is_utf8(a + "\xFF" + b));
      EXPECT_FALSE(is_utf8(a + "\xE4\xBD" + b)) << "cut off";
    }
  }
}

}  // namespace
}  // namespace mrc
