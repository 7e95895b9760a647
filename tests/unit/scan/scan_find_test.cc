#include "scan/scan.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

struct Found {
  i64 at, size;
  bool operator==(const Found &) const = default;
};

std::string lower(std::string text) {
  for (char &c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

Found naive_find(const std::vector<std::string> &literals, bool fold, Bytes text) {
  const std::string all = fold ? lower(std::string(text)) : std::string(text);
  for (size_t at = 0; at < all.size(); ++at) {
    for (const std::string &literal : literals) {
      if (all.compare(at, literal.size(), literal) != 0) continue;
      return {static_cast<i64>(at), static_cast<i64>(literal.size())};
    }
  }
  return {-1, 0};
}

void expect_found(const std::vector<std::string> &literals, bool fold, Bytes text, size_t shift) {
  const Found expected = naive_find(literals, fold, text);
  // Padding that would be found if it counted.
  const PaddedText padded(text, literals[0][0], shift);
  const LiteralSet set(literals, fold);
  const char *begin = padded.text().data(), *end = begin + padded.text().size();
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    const FoundLiteral found = scanner->find(set, begin, end);
    const Found result{found.at == nullptr ? -1 : found.at - begin, found.size};
    EXPECT_EQ(result, expected) << scanner->name << ": " << literals[0] << " in " << text;
  }
}

TEST(FindLiteral, FindsTheFirstAtEveryPlaceAndSize) {
  for (size_t size = 1; size < 150; ++size) {
    for (size_t at = 0; at + size <= 200; at += 7) {
      std::string text(200, '.'), literal(size, 'a');
      literal.back() = 'b';
      text.replace(at, size, literal);
      expect_found({literal}, false, text, at % 5);
    }
  }
}

TEST(FindLiteral, FindsNothingInTooLittle) {
  expect_found({"abc"}, false, "", 0);
  expect_found({"abc"}, false, "ab", 0);
  expect_found({"aaaa"}, false, "aaa", 0);
  expect_found({"a", "bbbb"}, false, "bbb", 0);
}

TEST(FindLiteral, TakesTheFirstOfThoseThatBeginTogether) {
  expect_found({"ab", "abc"}, false, "..abc", 0);
  expect_found({"abc", "ab"}, false, "..abc", 0);
}

TEST(FindLiteral, AgreesWithTheNaiveSearchOnRandomText) {
  std::mt19937_64 random(first_seed());
  for (int round = 0; round < 20000; ++round) {
    SCOPED_TRACE(testing::Message() << "MRC_SEED=" << first_seed() << " round " << round);
    const bool fold = random() % 2 == 0;
    std::vector<std::string> literals(1 + random() % LiteralSet::kMost);
    for (std::string &literal : literals) {
      literal = random_text(&random, {"a", "b", "k", "-", "@", "[", "\xC3"}, 1 + random() % 4);
    }
    const std::vector<std::string> pieces = {"a", "b", "A", "B", "K",    "k",      "-",
                                             "@", "`", "[", "{", "\xC3", "......."};
    expect_found(literals, fold, random_text(&random, pieces, random() % 300), random() % 8);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CountByte, AgreesWithTheStandardLibrary) {
  std::mt19937_64 random(first_seed());
  for (size_t size = 0; size < 300; ++size) {
    const PaddedText padded(random_text(&random, {"a", "\n", "b"}, size), '\n', size % 7);
    const char *begin = padded.text().data(), *end = begin + padded.text().size();
    for (const Scanner *scanner : runnable_scanners()) {
      if (scanner == nullptr) continue;
      EXPECT_EQ(scanner->count(begin, end, '\n'), std::count(begin, end, '\n')) << scanner->name;
    }
  }
}

}  // namespace
}  // namespace mrc
