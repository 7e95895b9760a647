#include "scan/scan.h"
#include "scan/vector.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::vector<i64> naive_separators(Bytes text, Separators separators) {
  std::vector<i64> places;
  for (size_t i = 0; i < text.size(); ++i) {
    for (char separator : separators) {
      if (text[i] != separator) continue;
      places.push_back(static_cast<i64>(i));
      break;
    }
  }
  return places;
}

std::vector<i64> scan_separators(const Scanner &scanner, Bytes text, Separators separators) {
  ScanCursor cursor{text.data(), text.data() + text.size()};
  std::vector<i64> places;
  Bounds bounds;
  while (cursor.next < cursor.end) {
    const char *base = cursor.next;
    scanner.separators(&cursor, separators, &bounds);
    if (cursor.next <= base || bounds.size > Bounds::kMost) {
      ADD_FAILURE() << "a scan moved " << cursor.next - base << " for " << bounds.size;
      break;
    }
    for (i64 i = 0; i < bounds.size; ++i) {
      places.push_back(base - text.data() + bounds.at[static_cast<size_t>(i)]);
    }
  }
  return places;
}

bool expect_right_separators(Bytes text, Separators separators) {
  const std::vector<i64> expected = naive_separators(text, separators);
  const PaddedText padded(text, separators[0]);
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    const std::vector<i64> found = scan_separators(*scanner, padded.text(), separators);
    EXPECT_EQ(found, expected) << scanner->name << " " << testing::PrintToString(text);
    if (found != expected) return false;
  }
  return true;
}

TEST(ScanSeparators, FindsEachOfThreeBytesAtEveryPlace) {
  for (char separator : {';', '\t', '\n'}) {
    for (size_t at = 0; at < 140; ++at) {
      std::string text(140, 'x');
      text[at] = separator;
      ASSERT_TRUE(expect_right_separators(text, {';', '\t', '\n'}));
      ASSERT_TRUE(expect_right_separators(text.substr(0, at), {';', '\t', '\n'}));
    }
  }
}

TEST(ScanSeparators, FindsNoOtherByte) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) text.push_back(static_cast<char>(byte));
  expect_right_separators(text, {' ', '\t', '\n'});
  expect_right_separators(text, {'\0', '\xFF', '\x80'});
}

TEST(ScanSeparators, GoesOnWhereItStopped) {
  for (size_t size : {1982, 1983, 2046, 2048, 10000}) {
    ASSERT_TRUE(expect_right_separators(std::string(size, ';'), {';', ';', '\n'}));
    ASSERT_TRUE(expect_right_separators(std::string(size, 'x') + ";", {';', ';', '\n'}));
  }
}

TEST(ScanSeparators, IsRightForRandomText) {
  for (u64 round = 0; round < 200; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    ASSERT_TRUE(expect_right_separators(
        random_text(&random, {";", "\n", "abcdefghijkl", "x", "\xBB", "\""}, random() % 5000),
        round % 2 == 0 ? Separators{';', ';', '\n'} : Separators{'"', '\n', 'x'}));
  }
}

TEST(FindByte, FindsTheFirstOneInFrontOfTheEnd) {
  for (size_t size = 0; size < 70; ++size) {
    const PaddedText padded(std::string(size, 'x'), ' ');
    const char *begin = padded.text().data(), *end = begin + size;
    ASSERT_EQ(find_byte(begin, end, ' '), end);
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = ' ';
      text.back() = ' ';
      const PaddedText two(text);
      ASSERT_EQ(find_byte(two.text().data(), two.text().data() + size, ' ') - two.text().data(),
                static_cast<i64>(at));
    }
  }
}

}  // namespace
}  // namespace mrc
