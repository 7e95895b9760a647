#include "base/sort_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace mrc {
namespace {

std::vector<u64> random_words(size_t count, u64 mask, u64 common, std::mt19937_64 *random) {
  std::vector<u64> words(count);
  for (u64 &word : words) word = ((*random)() & mask) | common;
  return words;
}

TEST(SortWords, SortsAnyNumberOfWordsThatDifferInAnyBits) {
  std::mt19937_64 random(7);
  const u64 masks[] = {
      0, 1, 0xFF, 0xFFFF, 0x3FF00, 0xFFFFFFFF, u64{1} << 63, ~u64{0}, u64{0xFF} << 56 | 1};
  for (const size_t count : {0, 1, 2, 127, 128, 1000, 20000}) {
    for (const u64 mask : masks) {
      for (const u64 common : {u64{0}, u64{1} << 60, ~mask}) {
        std::vector<u64> words = random_words(count, mask, common & ~mask, &random);
        std::vector<u64> expected = words;
        std::sort(expected.begin(), expected.end());
        sort_words(&words);
        EXPECT_EQ(words, expected) << count << " words, bits " << mask;
      }
    }
  }
}

}  // namespace
}  // namespace mrc
