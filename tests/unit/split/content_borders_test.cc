#include "split/content_borders.h"

#include "support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mrc {
namespace {

constexpr i64 kSize = 4096;
const CutBytes kLines("\n");

std::string lines(Random &random, i64 bytes, i64 most_length = 100) {
  std::string text;
  while (std::ssize(text) < bytes) {
    for (i64 n = pick(random, 0, most_length); n > 0; --n) {
      text += static_cast<char>('a' + pick(random, 0, 25));
    }
    text += '\n';
  }
  return text;
}

std::vector<i64> borders(Bytes text, const CutBytes &cuts = kLines, i64 most_piece = 0) {
  Random random(1);
  ContentBorders finder(cuts, kSize);
  std::vector<i64> ends;
  while (!text.empty()) {
    const i64 size = most_piece == 0 ? std::ssize(text) : pick(random, 1, most_piece);
    const Bytes piece = text.substr(0, static_cast<size_t>(size));
    finder.feed(piece, &ends);
    text.remove_prefix(piece.size());
  }
  finder.finish(&ends);
  return ends;
}

// Ends counted from the end of the text.
std::set<i64> from_end(const std::string &text) {
  std::set<i64> all;
  for (const i64 end : borders(text)) all.insert(std::ssize(text) - end);
  return all;
}

TEST(ContentBorders, AreTheSameWhateverPiecesTheContentComesIn) {
  Random random(7);
  for (const i64 length : {0, 3, 100, 3000, 40000}) {
    const std::string text = lines(random, 300000, length);
    const std::vector<i64> whole = borders(text);
    for (const i64 piece : {1, 10, 63, 64, 65, 1000, 70000}) {
      ASSERT_EQ(borders(text, kLines, piece), whole) << length << " " << piece;
    }
  }
}

TEST(ContentBorders, KeepToTheirLimits) {
  Random random(8);
  for (const i64 length : {0, 5, 50, 500, 5000}) {
    const std::string text = lines(random, 4 << 20, length);
    const std::vector<i64> ends = borders(text);
    ASSERT_EQ(ends.back(), std::ssize(text));
    i64 begin = 0;
    for (const i64 end : ends) {
      ASSERT_EQ(text[static_cast<size_t>(end - 1)], '\n');
      ASSERT_LE(end - begin, 4 * kSize);
      const i64 least = end < std::ssize(text) ? kSize / 4 : 1;
      ASSERT_GE(end - begin, least);
      begin = end;
    }
    const i64 mean = std::ssize(text) / std::ssize(ends);
    if (length > 0) {
      EXPECT_GT(mean, kSize * 3 / 4) << length;
    }
    EXPECT_LT(mean, length > 0 ? kSize * 3 / 2 : 4 * kSize + 1) << length;
  }
}

// As those of logs, which end in one of a few names of programs.
TEST(ContentBorders, DoNotNeedEndsOfRecordsThatDiffer) {
  std::string text;
  for (int i = 0; std::ssize(text) < (4 << 20); ++i) {
    text += std::to_string(1000000 + i) + " a request" + std::string(150, 'x') + "\n";
  }
  const i64 mean = std::ssize(text) / std::ssize(borders(text));
  EXPECT_GT(mean, kSize * 3 / 4);
  EXPECT_LT(mean, kSize * 3 / 2);
  EXPECT_EQ(borders(text, kLines, 1000), borders(text));
}

TEST(ContentBorders, LeaveALongRecordWhole) {
  Random random(9);
  const std::string before = lines(random, 20000), after = lines(random, 20000);
  const std::string record = std::string(200000, 'x') + "\n";
  const std::vector<i64> ends = borders(before + record + after);
  const i64 end = std::ssize(before) + std::ssize(record);
  EXPECT_TRUE(std::ranges::count(ends, end) == 1);
  const auto inside = [&](i64 at) { return at > std::ssize(before) && at < end; };
  EXPECT_TRUE(std::ranges::none_of(ends, inside));
}

TEST(ContentBorders, MoveOnlyNearAnEdit) {
  Random random(10);
  const std::string text = lines(random, 1 << 20);
  const std::vector<i64> old = borders(text);
  const std::set<i64> old_from_end = from_end(text);
  for (int round = 0; round < 30; ++round) {
    std::string edited = text;
    const i64 at = pick(random, 0, std::ssize(text) - 1000);
    edited.replace(static_cast<size_t>(at), static_cast<size_t>(pick(random, 0, 500)),
                   lines(random, pick(random, 1, 500)));
    i64 changed = 0;
    for (const i64 end : borders(edited)) {
      const bool before = std::ranges::binary_search(old, end);
      changed += !before && !old_from_end.contains(std::ssize(edited) - end);
    }
    EXPECT_LE(changed, 12) << at;
  }
}

TEST(ContentBorders, OfFixedRecordsAreMultiplesOfTheirSize) {
  Random random(11);
  std::string text(700000, '\0');
  for (char &c : text) c = static_cast<char>(pick(random, 0, 255));
  const CutBytes cuts = CutBytes::every(7);
  const std::vector<i64> ends = borders(text, cuts);
  EXPECT_GT(std::ssize(ends), 100);
  for (const i64 end : ends) ASSERT_EQ(end % 7, 0);
  EXPECT_EQ(borders(text, cuts, 100), ends);
}

TEST(ContentBorders, OfNothingAreNone) { EXPECT_TRUE(borders("").empty()); }

}  // namespace
}  // namespace mrc
