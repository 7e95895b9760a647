#include "scan/scan.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::vector<i64> naive_places(Bytes text, char terminator) {
  std::vector<i64> places;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == terminator) places.push_back(static_cast<i64>(i));
  }
  return places;
}

std::vector<i64> scan_all(const Scanner &scanner, Bytes text, char terminator) {
  ScanCursor cursor{text.data(), text.data() + text.size()};
  std::vector<i64> places;
  Bounds bounds;
  while (cursor.next < cursor.end) {
    const char *base = cursor.next;
    scanner.lines(&cursor, terminator, &bounds);
    // The mapper adds a last line without terminator to the same batch.
    if (cursor.next <= base || bounds.size >= Batch<Key16>::kCapacity) {
      ADD_FAILURE() << "a scan moved " << cursor.next - base << " for " << bounds.size;
      break;
    }
    for (i64 i = 0; i < bounds.size; ++i) {
      places.push_back(base - text.data() + bounds.at[static_cast<size_t>(i)]);
    }
  }
  return places;
}

bool expect_right_lines(Bytes text, char terminator) {
  const std::vector<i64> expected = naive_places(text, terminator);
  // Terminators past the end do not count.
  const PaddedText padded(text, terminator);
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    std::vector<i64> found = scan_all(*scanner, padded.text(), terminator);
    EXPECT_EQ(found, expected) << scanner->name << " " << testing::PrintToString(text);
    if (found != expected) return false;
  }
  return true;
}

TEST(ScanLines, FindsNothingInEmptyText) { expect_right_lines("", '\n'); }

TEST(ScanLines, FindsTerminatorsAtEveryPlace) {
  for (char terminator : {'\n', '\0'}) {
    for (size_t at = 0; at < 140; ++at) {
      std::string text(140, 'x');
      text[at] = terminator;
      ASSERT_TRUE(expect_right_lines(text, terminator));
      for (size_t end = 0; end < 140; ++end) {
        ASSERT_TRUE(expect_right_lines(text.substr(0, end), terminator));
      }
    }
  }
}

TEST(ScanLines, FindsNoOtherByte) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) text.push_back(static_cast<char>(byte));
  expect_right_lines(text, '\n');
  expect_right_lines(text, '\0');
}

TEST(ScanLines, GoesOnWhereItStopped) {
  for (size_t lines : {958, 959, 960, 1023, 1024, 1025, 5000}) {
    ASSERT_TRUE(expect_right_lines(std::string(lines, '\n'), '\n'));
    std::string text;
    for (size_t i = 0; i < lines; ++i) text += "x\n";
    ASSERT_TRUE(expect_right_lines(text, '\n'));
    ASSERT_TRUE(expect_right_lines(text + "last", '\n'));
  }
}

TEST(ScanLines, IsRightForRandomText) {
  for (u64 round = 0; round < 200; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    ASSERT_TRUE(expect_right_lines(
        random_text(&random, {"\n", "a", "line", std::string(1, '\0'), "\x8A", "\v", "\r\n"},
                    random() % 3000),
        round % 2 == 0 ? '\n' : '\0'));
  }
}

}  // namespace
}  // namespace mrc
