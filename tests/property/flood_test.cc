// Keys made to collide: an attacker that knew the hash could make every look-up walk
// over all keys before it, and all keys share a partition. The seed is new in every job, so
// it cannot be known.
#include "engine/engine.h"
#include "group/group.h"
#include "map/key_image.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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

// ---- Jobs on keys that collide without a seed, and on others of the same lengths.

using Texts = std::vector<std::string>;

std::string digits(i64 number, size_t size) {
  const std::string text = std::to_string(number);
  return std::string(size - text.size(), '0') + text;
}

// Without a seed the hash of a short key is zero if its first word is, and that of a medium one
// if the first and the third are. Of a long one the top bits can be found by trying.
std::string word(i64 number, bool zero) {
  return zero ? std::string(8, '\0') : digits(number * 7919 % 100000000, 8);
}
std::string short_key(i64 number, bool collides) {
  return word(number, collides) + digits(number, 7);
}
std::string medium_key(i64 number, bool collides) {
  return word(number, collides) + digits(number, 8) + word(number + 1, collides) +
         digits(number, 7);
}
std::string long_key(i64 *number, bool collides) {
  constexpr int kBits = 9;  // of a usual partition
  for (;;) {
    std::string key = digits((*number)++, 40);
    if (!collides || hash_bytes(key, Seed{}) >> (64 - kBits) == 0) return key;
  }
}

std::string flood(i64 keys, bool collides) {
  std::string text;
  i64 tried = 0;
  for (i64 i = 0; i < keys; ++i) {
    text += short_key(i, collides) + "\n" + medium_key(i, collides) + "\n" +
            long_key(&tried, collides) + "\n";
  }
  return text;
}

class FloodedJob : public testing::Test {
 protected:
  Report count(const std::string &text, std::optional<i64> memory, std::optional<Seed> seed = {}) {
    Program program;
    program.map.records = MapSpec::Records::lines;
    program.shape.raw = true;
    program.inputs = {folder_.write("in", text)};
    program.output = folder_.path("out");
    program.tmpdir = folder_.path(".");
    program.threads = 2;
    program.split_bytes = 100000;
    program.memory = memory;
    program.seed = seed;
    SilentObserver observer;
    const Result<Report> report = run(program, make_plan(program), &observer);
    EXPECT_TRUE(report.is_ok()) << report.status().message();
    EXPECT_EQ(folder_.read("out"), counted(text));
    return report.is_ok() ? *report : Report{};
  }

  static std::string counted(const std::string &text) {
    std::map<std::string, i64> counts;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      ++counts[text.substr(at, end - at)];
      at = end + 1;
    }
    std::string rows;
    for (const auto &[key, count] : counts) rows += key + "\t" + std::to_string(count) + "\n";
    return rows;
  }

  TemporaryFolder folder_;
};

TEST_F(FloodedJob, CollidesWithoutASeed) {
  const std::string padding(kPadding, ' ');
  for (i64 i = 0; i < 100; ++i) {
    EXPECT_EQ(hash(image16<Fold::none>((short_key(i, true) + padding).data(), 15), Seed{}), 0u);
    EXPECT_EQ(hash(image32<Fold::none>((medium_key(i, true) + padding).data(), 31), Seed{}), 0u);
  }
}

// All that grows with collisions is as large as without them.
TEST_F(FloodedJob, CostsNoMoreThanOthers) {
  const std::string flooded = flood(20000, true), usual = flood(20000, false);
  for (std::optional<i64> memory : {std::optional<i64>(), std::optional<i64>(i64{1} << 20)}) {
    const Report a = count(flooded, memory), b = count(usual, memory);
    SCOPED_TRACE(memory.value_or(0));
    EXPECT_EQ(a.keys, 60000);
    // Which worker meets a key is a matter of time.
    EXPECT_LE(a.tables.slots, 2 * b.tables.slots);
    EXPECT_LE(a.tables.growths, 2 * b.tables.growths);
    EXPECT_LE(a.spilled_records, b.spilled_records * 11 / 10 + 100);
    EXPECT_LE(a.spilled_bytes, b.spilled_bytes * 11 / 10 + 10000);
    EXPECT_LE(a.divisions, b.divisions + 10);
  }
}

// With the seed known all short keys share a hash. It takes longer, and the answer is right.
TEST_F(FloodedJob, IsDividedWhereTheSeedIsKnown) {
  const Seed known{0x0123456789ABCDEF, 0xFEDCBA9876543210};
  std::string text;
  for (const Key16 &key : keys_against(known)) text.append(key_bytes(key)).append("\n");
  text.resize(text.size() / 2 / 16 * 16);
  const Report report = count(text + text, i64{1} << 20, known);
  EXPECT_EQ(report.keys, kKeys / 2);
  EXPECT_GT(report.divisions, 0);
  EXPECT_LT(report.divisions, 100);
}

}  // namespace
}  // namespace mrc
