#include "unit/map/padded_text.h"
#include "unit/scan/naive_csv.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

constexpr CsvState kStates[] = {CsvState::field, CsvState::plain, CsvState::quoted,
                                CsvState::closed};

i64 place(const char *found, Bytes text) { return found == nullptr ? -1 : found - text.data(); }

i64 naive_end(const NaiveCsv &naive, bool first) {
  i64 found = -1;
  for (const NaiveDelimiter &delimiter : naive.delimiters) {
    if (delimiter.ends && (found < 0 || !first)) found = delimiter.at;
  }
  return found;
}

std::vector<NaiveDelimiter> bounds_of(const CsvScanner &scanner, Bytes text, CsvBytes bytes,
                                      CsvState *state) {
  std::vector<u32> at(text.size() + CsvBounds::kSlack), ends(at.size());
  CsvBounds bounds{at.data(), ends.data(), std::ssize(text) + 1, std::ssize(text) + 1};
  scanner.bounds(text.data(), text.data() + text.size(), bytes, &bounds);
  EXPECT_EQ(bounds.next, text.data() + text.size());
  *state = bounds.state;
  std::vector<NaiveDelimiter> found;
  for (i64 i = 0, r = 0; i < bounds.size; ++i) {
    const bool last = r < bounds.records && ends[static_cast<size_t>(r)] == i;
    r += last;
    found.push_back({at[static_cast<size_t>(i)], last});
  }
  return found;
}

bool expect_right_csv(Bytes text, CsvBytes bytes) {
  // Quotes and delimiters past the end do not count.
  const PaddedText padded(text, text.size() % 2 == 0 ? '"' : bytes.terminator);
  const Bytes shown = padded.text();
  const char *begin = shown.data(), *end = begin + shown.size();
  for (const CsvScanner *scanner : runnable_csv_scanners()) {
    if (scanner == nullptr) continue;
    for (CsvState state : kStates) {
      const NaiveCsv naive = naive_csv(state, text, bytes);
      const CsvSkim skim = scanner->skim(state, begin, end, bytes);
      const CsvSkim first = scanner->first_end(state, begin, end, bytes);
      EXPECT_EQ(skim.state, naive.state);
      EXPECT_EQ(place(skim.end, shown), naive_end(naive, false));
      EXPECT_EQ(place(skim.last_open, shown), naive.last_open);
      EXPECT_EQ(place(first.end, shown), naive_end(naive, true));
      EXPECT_TRUE(first.end != nullptr || first.state == naive.state);
    }
    CsvState state;
    const NaiveCsv naive = naive_csv(CsvState::field, text, bytes);
    EXPECT_TRUE(bounds_of(*scanner, shown, bytes, &state) == naive.delimiters);
    EXPECT_EQ(state, naive.state);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << scanner->name << " " << testing::PrintToString(std::string(text));
      return false;
    }
  }
  return true;
}

TEST(ScanCsv, KnowsEveryShortText) {
  const Bytes alphabet = "\",\nx";
  for (size_t size = 1; size <= 6; ++size) {
    std::string text(size, '"');
    for (size_t number = 0; number < size_t{1} << (2 * size); ++number) {
      for (size_t i = 0; i < size; ++i) text[i] = alphabet[number >> (2 * i) & 3];
      ASSERT_TRUE(expect_right_csv(text, {}));
    }
  }
}

TEST(ScanCsv, IsTheSameAtEveryPlaceOfABlock) {
  for (const char *text :
       {"a,\"b,\"\"\n\",c\n", "x\"y\",\"z\n", "\"a\"b\"c,\"\"\"\"\n", "\"open,\n"}) {
    for (size_t before = 0; before <= 130; ++before) {
      for (const char *filler : {"x", "\"", ",", "\n", " ,"}) {
        std::string all;
        while (all.size() < before) all += filler;
        ASSERT_TRUE(expect_right_csv(all + text + "d,e", {}));
      }
    }
  }
}

TEST(ScanCsv, IsRightForRandomText) {
  const std::vector<std::string> calm = {"abc", ",", "\n", "some more text", "\"quoted\"", "1"};
  const std::vector<std::string> wild = {"\"", ",", "\n", "a", "\"\"", "\r\n", ";", ",\"", "\","};
  for (u64 round = 0; round < 400; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text = random_text(&random, round % 2 == 0 ? calm : wild, 1 + random() % 700);
    ASSERT_TRUE(expect_right_csv(text, round % 3 == 0 ? CsvBytes{';', '\0'} : CsvBytes{}));
  }
}

TEST(ScanCsv, StopsWhereTheRoomIsUsedUp) {
  const std::string text(1000, ',');
  const PaddedText padded(text);
  std::vector<u32> at(100 + CsvBounds::kSlack), ends(100 + CsvBounds::kSlack);
  for (const CsvScanner *scanner : runnable_csv_scanners()) {
    if (scanner == nullptr) continue;
    CsvBounds bounds{at.data(), ends.data(), 100, 100};
    scanner->bounds(padded.text().data(), padded.text().data() + 1000, {}, &bounds);
    EXPECT_EQ(bounds.size, 128);
    EXPECT_EQ(bounds.next, padded.text().data() + 128);
  }
}

}  // namespace
}  // namespace mrc
