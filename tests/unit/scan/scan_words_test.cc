#include "scan/scan.h"
#include "unit/scan/scan_against_naive.h"

#include <algorithm>

namespace mrc {
namespace {

TEST(ScanWords, FindsNothingInEmptyText) {
  expect_right("");
  expect_right("", ' ');
}

TEST(ScanWords, FindsAWordFromAnyByteToAnyOther) {
  for (size_t begin = 0; begin < 64; ++begin) {
    for (size_t size = 1; size <= kMostBefore + 1; ++size) {
      const std::string text = std::string(begin, ' ') + std::string(size, 'w');
      ASSERT_TRUE(expect_right(text));
      ASSERT_TRUE(expect_right(text + " "));
    }
  }
}

TEST(ScanWords, EndsAnOpenWordWithTheTextWhateverFollows) {
  for (size_t size = 1; size <= 200; ++size) {
    for (char padding : {'a', '\'', ' ', '\0', '\xA9', '\xFF'}) {
      ASSERT_TRUE(expect_right(std::string(size, 'w'), padding));
      ASSERT_TRUE(expect_right(std::string(size, 'w') + "'", padding));
      ASSERT_TRUE(expect_right(std::string(size, 'w') + "\xC3", padding));
      ASSERT_TRUE(expect_right(std::string(size, 'w') + "\xE2\x80", padding));
    }
  }
}

TEST(ScanWords, DoesNotCareForAlignment) {
  for (size_t shift = 0; shift < 64; ++shift) {
    ASSERT_TRUE(expect_right("it's a \u00fcber-word, 你好 o\u2019clock", 'a', shift));
  }
}

TEST(ScanWords, TakesNulForAnyOtherSeparator) {
  expect_right_everywhere(std::string("a\0b\0\0c", 6));
}

TEST(ScanWords, GoesOnWhereItStopped) {
  for (const char *piece :
       {"a ", "ab ", "a", "a'b ", "\u00e9 ", "\u00e9", "word word ", "a\u2019b "}) {
    std::string text;
    while (text.size() < 20000) text += piece;
    for (size_t shift = 0; shift < 3; ++shift) ASSERT_TRUE(expect_right(text.substr(shift)));
  }
}

TEST(ScanWords, StopsBeforeItsBoundsOverflow) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "a ";
  const PaddedText padded(text);
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    i64 scans = 0;
    EXPECT_EQ(scan_all(scanner->words[1], padded.text(), &scans).size(), 10000u);
    EXPECT_GE(scans, 5);
  }
}

TEST(Scanners, AreNamedAndTheBestIsTheLast) {
  const auto all = runnable_scanners();
  ASSERT_NE(all[0], nullptr);
  const auto first_missing = std::find(all.begin(), all.end(), nullptr);
  EXPECT_EQ(std::count(first_missing, all.end(), nullptr), all.end() - first_missing);
  EXPECT_EQ(&best_scanner(), first_missing[-1]);
}

}  // namespace
}  // namespace mrc
