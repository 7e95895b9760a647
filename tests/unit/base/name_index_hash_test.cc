#include "base/name_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace mrc {
namespace {

TEST(HashIndex, FindsWhatWasAdded) {
  constexpr u32 kEntries = 5000;
  HashIndex index(kEntries);
  const auto hash_of = [](u32 entry) { return entry * u64{0x9E3779B97F4A7C15}; };
  for (u32 entry = 1; entry <= kEntries; ++entry) index.add(hash_of(entry), entry);
  for (u32 entry = 1; entry <= kEntries + 100; ++entry) {
    const u32 found = index.find(hash_of(entry), [&](u32 other) { return other == entry; });
    EXPECT_EQ(found, entry <= kEntries ? entry : 0);
  }
}

TEST(HashIndex, TellsKeysOfOneHashApart) {
  HashIndex index(3);
  for (u32 entry = 1; entry <= 3; ++entry) index.add(7, entry);
  EXPECT_EQ(index.find(7, [](u32 entry) { return entry == 2; }), 2);
  EXPECT_EQ(index.find(7, [](u32) { return false; }), 0);
  EXPECT_EQ(index.find(u64{1} << 32 | 7, [](u32) { return true; }), 0);
}

TEST(HashIndex, MayBeEmpty) {
  const HashIndex index(0);
  index.prefetch(99);
  EXPECT_EQ(index.find(99, [](u32) { return true; }), 0);
}

}  // namespace
}  // namespace mrc
