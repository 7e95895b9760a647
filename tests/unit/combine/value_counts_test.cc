#include "combine/inner/value_counts.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <map>

namespace mrc {
namespace {

constexpr Seed kCountsSeed{1, 2};

std::map<std::string, u64> shown_counts(const ValueCounts &counts) {
  std::map<std::string, u64> all;
  for (const ValueCounts::Entry &entry : counts.entries()) {
    EXPECT_TRUE(all.emplace(entry.text.bytes(), entry.count).second);
  }
  EXPECT_EQ(all.size(), counts.size());
  return all;
}

TEST(KeptText, IsItsBytes) {
  for (size_t size : {0, 1, 7, 8, 14, 15, 16, 300}) {
    const PaddedText text(std::string(size, 'x'));
    const KeptText borrowed = borrow_text(text.text());
    EXPECT_EQ(borrowed.bytes(), text.text());
    EXPECT_TRUE(borrowed == borrow_exactly(text.text()));
    EXPECT_FALSE(borrowed.is_none());
    const PaddedText other(std::string(size, 'x') + '\0');
    EXPECT_FALSE(borrowed == borrow_text(other.text()));
  }
  EXPECT_TRUE(KeptText{}.is_none());
}

TEST(ValueCounts, AgreeWithAMap) {
  std::mt19937_64 random(first_seed());
  for (u64 distinct : {1, 2, 3, 4, 50, 5000}) {
    Arena arena;
    ValueCounts counts{}, other{};
    std::map<std::string, u64> expected;
    for (u64 i = 0; i < 4 * distinct; ++i) {
      const std::string text(1 + random() % distinct % 37, static_cast<char>('a' + i % 26));
      const PaddedText padded(text);
      (i % 3 == 0 ? counts : other)
          .add(borrow_text(padded.text()), i + 1, false, kCountsSeed, &arena);
      expected[text] += i + 1;
    }
    counts.merge(&other, kCountsSeed, &arena);
    EXPECT_EQ(shown_counts(counts), expected);
    std::string saved;
    counts.save(nullptr, &saved);
    ValueCounts loaded{};
    loaded.load(saved, kCountsSeed, nullptr, &arena);
    EXPECT_EQ(shown_counts(loaded), expected);
  }
}

// Whatever is on disk and whatever in memory, in whatever order they were saved and merged.
TEST(ValueCounts, AgreeWithAMapWhenTheyAreSpilled) {
  std::mt19937_64 random(first_seed());
  for (i64 memory : {0, 1 << 16, 1 << 24}) {
    ValueRuns runs("/tmp", memory);
    Arena arena;
    ValueCounts counts{};
    std::map<std::string, u64> expected;
    for (int round = 0; round < 100; ++round) {
      ValueCounts next{};
      for (int i = 0; i < 200; ++i) {
        const std::string text = std::to_string(random() % 5000) + std::string(random() % 20, '.');
        next.add(borrow_exactly(text), 1, false, kCountsSeed, &arena);
        ++expected[text];
      }
      std::string saved;
      next.save(&runs, &saved);
      next.load(saved, kCountsSeed, &runs, &arena);
      counts.merge(&next, kCountsSeed, &arena);
      counts.bound(&runs);
    }
    EXPECT_EQ(counts.spilled() != nullptr, memory < 1 << 24);
    EXPECT_EQ(runs.values() > 0, memory < 1 << 24);
    std::map<std::string, u64> all;
    const std::unique_ptr<ValueStream> values = counts.values();
    for (CountedValue value; values->next(&value);) {
      EXPECT_TRUE(all.emplace(value.text, value.count).second);
    }
    EXPECT_EQ(all, expected);
    EXPECT_EQ(distinct_of(reinterpret_cast<const State *>(&counts)), expected.size());
    EXPECT_TRUE(runs.status().is_ok());
  }
}

TEST(ValueCounts, OfOneShortValueOwnNoMemory) {
  Arena arena;
  ValueCounts counts{};
  for (int i = 0; i < 100; ++i) {
    counts.add(borrow_exactly("fifteen letters"), 1, false, kCountsSeed, &arena);
  }
  EXPECT_EQ(arena.used(), 0);
  EXPECT_TRUE(counts.is_flat());
  counts.add(borrow_exactly("another"), 1, false, kCountsSeed, &arena);
  EXPECT_FALSE(counts.is_flat());
  EXPECT_LE(arena.used(), 120);
}

}  // namespace
}  // namespace mrc
