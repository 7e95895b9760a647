// Keys made to collide: somebody who knew the hash could make every look-up walk
// over all keys before it. The seed is new in every job, so nobody knows it.
#include "group/group.h"
#include "map/key_image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace mrc {
namespace {

constexpr i64 kKeys = 50000;

// Keys whose first word is the seed's: the product is zero, whatever the rest.
std::vector<Key16> keys_against(Seed seed) {
  std::vector<Key16> keys;
  for (i64 i = 0; i < kKeys; ++i) {
    std::string key(reinterpret_cast<const char *>(&seed.a), 8);
    key += std::to_string(1000000 + i);
    key.resize(32, '\0');
    keys.push_back(image16<Fold::none>(key.data(), 15));
  }
  return keys;
}

i64 distinct_hashes(const std::vector<Key16> &keys, Seed seed) {
  std::set<u64> hashes;
  for (const Key16 &key : keys) hashes.insert(hash(key, seed));
  return static_cast<i64>(hashes.size());
}

// The most slots that a look-up may have to visit: the longest run of used slots,
// if the table were half full.
i64 longest_run(const std::vector<Key16> &keys, Seed seed) {
  constexpr int kBits = 17;  // 131,072 slots
  std::vector<u64> homes;
  for (const Key16 &key : keys) homes.push_back(hash(key, seed) >> (64 - kBits));
  std::sort(homes.begin(), homes.end());
  i64 longest = 0, run = 0;
  u64 next_free = 0;
  for (u64 home : homes) {
    run = home <= next_free ? run + 1 : 1;
    next_free = std::max(next_free, home) + 1;
    longest = std::max(longest, run);
  }
  return longest;
}

TEST(Flood, WorksAgainstAKnownSeed) {
  const Seed known{0x0123456789ABCDEF, 0xFEDCBA9876543210};
  EXPECT_EQ(distinct_hashes(keys_against(known), known), 1);
}

TEST(Flood, DoesNothingAgainstARandomOne) {
  const std::vector<Key16> keys = keys_against({0x0123456789ABCDEF, 0xFEDCBA9876543210});
  for (int i = 0; i < 20; ++i) {
    const Seed seed = Seed::random();
    SCOPED_TRACE(testing::Message() << std::hex << seed.a << " " << seed.b);
    EXPECT_GE(distinct_hashes(keys, seed), kKeys - 1);
    EXPECT_LT(longest_run(keys, seed), 2000);
  }
}

TEST(Flood, SeedsAreNeverTheSame) {
  std::set<u64> seeds;
  for (int i = 0; i < 1000; ++i) seeds.insert(Seed::random().a);
  EXPECT_EQ(seeds.size(), 1000u);
}

}  // namespace
}  // namespace mrc
