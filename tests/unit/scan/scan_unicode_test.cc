#include "scan/scan.h"
#include "unit/scan/scan_against_naive.h"

namespace mrc {
namespace {

#ifdef MRC_SANITIZED
constexpr int kRounds = 60;
#else
constexpr int kRounds = 400;
#endif

TEST(ScanWords, ClassifiesEveryByteAtEveryPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t before : {0, 1, 31, 62, 63, 64, 65}) {
      std::string text = std::string(before, 'a') + static_cast<char>(byte);
      ASSERT_TRUE(expect_right(text + "a"));
      ASSERT_TRUE(expect_right(text + " a"));
    }
  }
}

TEST(ScanWords, JoinsLettersAtApostrophes) {
  const std::string e = "\u00e9", q = "\u2019", han = "字", bold = "𝒳";
  for (const std::string &text :
       {std::string("a'b"), "a" + q + "b", e + "'" + e, e + q + e, "a" + q + e, e + "'b",
        han + q + han, bold + "'" + bold, bold + q + bold, std::string("a'b'c'd"),
        "a" + q + "b" + q + "c"}) {
    expect_right_everywhere(text);
  }
}

TEST(ScanWords, SeparatesAtOtherApostrophes) {
  const std::string q = "\u2019";
  for (const std::string &text : {std::string("'"),      std::string("a''b"),
                                  "a" + q + q + "b",     "a'" + q + "b",
                                  "a" + q + "'b",        std::string("'a'"),
                                  q + "a" + q,           std::string("a'1"),
                                  "a" + q + "1",         std::string("1'a"),
                                  "1" + q + "a",         std::string("a'_"),
                                  "_" + q + "a",         std::string("a' b"),
                                  "a " + q + "b",        std::string("a'\xFF"),
                                  "a" + q + "\x80",      std::string("\xC3'a"),
                                  "\xE2\x80" + q + "a",  std::string("a'\xE2\x80"),
                                  "a" + q + q + q + "b", std::string("a'\u00d7"),
                                  "\u00f7" + q + "a"}) {
    expect_right_everywhere(text);
  }
}

TEST(ScanWords, KnowsLettersOfAllScriptsAtEveryPlace) {
  for (u32 code : {0x80,   0xA9,   0xAA,   0xB5,    0xBA,    0xBF,    0xC0,   0xD7,   0xE9,
                   0xF7,   0x7FF,  0x800,  0x1FFF,  0x2000,  0x2018,  0x2019, 0x201A, 0x206F,
                   0x2070, 0x2FFF, 0x3000, 0x303F,  0x3040,  0x5B57,  0xD7FF, 0xE000, 0xFEFE,
                   0xFEFF, 0xFF00, 0xFFFF, 0x10000, 0x1F4A9, 0x10FFFF}) {
    expect_right_everywhere("a" + encode_utf8(code) + "a");
    expect_right_everywhere(encode_utf8(code) + encode_utf8(code));
  }
}

TEST(ScanWords, SeparatesAtInvalidUtf8) {
  for (const char *text :
       {"\x80", "\xBF\xBF", "\xC3", "\xE2\x80", "\xF0\x9F\x92", "\xC0\x80", "\xE0\x9F\xBF",
        "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xFE\xFF",
        "\xC3\xC3\xA9", "\xE5\xAD\xE5\xAD\x97", "\xF0\x9D\x92\xC3\xA9", "\xC3\xA9\xA9"}) {
    expect_right_everywhere("a" + std::string(text) + "a");
  }
}

TEST(ScanWords, IsRightForAllShortTextsAcrossABlockEdge) {
#ifdef MRC_SANITIZED
  const Bytes alphabet = "a'\x80\x99\xA9\xC3\xE2\xF0";
#else
  const Bytes alphabet = "a1_' \x80\x99\xA9\xBF\xC3\xE2\xED\xEF\xF0\xFF";
#endif
  std::string text = std::string(61, ' ') + "aaaaa";
  for (char a : alphabet) {
    for (char b : alphabet) {
      for (char c : alphabet) {
        for (char d : alphabet) {
          text.replace(62, 4, {a, b, c, d});
          ASSERT_TRUE(expect_right(text));
        }
      }
    }
  }
}

TEST(ScanWords, IsRightForRandomText) {
  const std::vector<std::string> bytes = [] {
    std::vector<std::string> all;
    for (int b = 0; b < 256; ++b) all.push_back(std::string(1, static_cast<char>(b)));
    return all;
  }();
  const std::vector<std::string> pieces = {
      "a",      "bc",     "word", "'",  "'", "\u2019", "\u2019", " ",    "\n",       "1",   "_",
      "\u00e9", "\u00d7", "字",   "。", "𝒳", "\xE2",   "\x80",   "\x99", "\xF0\x9D", "\xFF"};
  for (u64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const size_t size = random() % (round % 8 == 0 ? 8000 : 300);
    ASSERT_TRUE(expect_right(random_text(&random, round % 2 == 0 ? bytes : pieces, size)));
  }
}

}  // namespace
}  // namespace mrc
