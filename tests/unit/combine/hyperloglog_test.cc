#include "combine/hyperloglog.h"

#include "base/hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace mrc {
namespace {

// Hashes of `n` different keys, as map has them for short keys.
std::vector<u64> hashes(i64 n, u64 first_key, Seed seed) {
  std::vector<u64> result(static_cast<size_t>(n));
  for (u64 &hash : result) hash = fold_multiply(first_key++ ^ seed.a, u64{9} << 56 ^ seed.b);
  return result;
}

Seed seed_of(u64 number) {
  std::mt19937_64 random(number);
  return {random(), random()};
}

HyperLogLog of(const std::vector<u64> &all) {
  HyperLogLog sketch;
  sketch.add(all.data(), std::ssize(all));
  return sketch;
}

bool same(const HyperLogLog &a, const HyperLogLog &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(HyperLogLog, IsEmptyAtFirst) {
  HyperLogLog sketch;
  EXPECT_EQ(sketch.estimate(), 0);
  sketch.add(nullptr, 0);
  EXPECT_EQ(sketch.estimate(), 0);
  EXPECT_EQ(sizeof sketch, 16384u);
}

TEST(HyperLogLog, SeesEqualHashesOnce) {
  for (u64 hash : {u64{0}, u64{1}, ~u64{0}, u64{0x123456789}}) {
    EXPECT_EQ(of(std::vector<u64>(100000, hash)).estimate(), 1);
  }
}

TEST(HyperLogLog, IsExactForFew) {
  for (u64 seed = 0; seed < 20; ++seed) {
    for (i64 n : {1, 2, 3, 5, 10}) EXPECT_EQ(of(hashes(n, 0, seed_of(seed))).estimate(), n);
  }
}

TEST(HyperLogLog, KeepsItsPromiseForAnyNumberOfKeys) {
  for (i64 n : {1, 10, 100, 1000, 10000, 20000, 40000, 50000, 80000, 100000, 1000000}) {
    const i64 rounds = n >= 1000000 ? 40 : 200;
    double squares = 0, bias = 0;
    for (i64 round = 0; round < rounds; ++round) {
      const HyperLogLog sketch = of(hashes(n, 0, seed_of(static_cast<u64>(n + round))));
      const double error = static_cast<double>(sketch.estimate() - n) / static_cast<double>(n);
      squares += error * error;
      bias += error / static_cast<double>(rounds);
    }
    const double rms = std::sqrt(squares / static_cast<double>(rounds));
    EXPECT_LE(rms, 1.1 * HyperLogLog::standard_error()) << n << " keys";
    EXPECT_LE(std::abs(bias), HyperLogLog::standard_error() / 3) << n << " keys";
  }
}

TEST(HyperLogLog, StaysCloseWhileItGrows) {
  const std::vector<u64> all = hashes(2000000, 0, seed_of(1));
  HyperLogLog sketch;
  i64 added = 0;
  for (i64 n = 11; n <= std::ssize(all); n += n / 10) {
    sketch.add(all.data() + added, n - added);
    added = n;
    // Two of few keys may share a register.
    const double allowed =
        std::max(1.0, 3 * HyperLogLog::standard_error() * static_cast<double>(n));
    EXPECT_NEAR(static_cast<double>(sketch.estimate()), static_cast<double>(n), allowed);
  }
}

TEST(HyperLogLog, MergesToTheUnion) {
  for (i64 n : {0, 1, 1000, 200000}) {
    const Seed seed = seed_of(7);
    const std::vector<u64> a = hashes(n, 0, seed), b = hashes(50000, static_cast<u64>(n / 2), seed);
    HyperLogLog all = of(a);
    all.add(b.data(), std::ssize(b));
    HyperLogLog ab = of(a), ba = of(b);
    ab.merge(of(b));
    ba.merge(of(a));
    EXPECT_TRUE(same(ab, all));
    EXPECT_TRUE(same(ba, all));
    ab.merge(of(a));
    ab.merge(HyperLogLog());
    EXPECT_TRUE(same(ab, all));
  }
}

TEST(HyperLogLog, DoesNotSeeOrderOrBatches) {
  const std::vector<u64> all = hashes(30000, 5, seed_of(3));
  HyperLogLog one_by_one;
  for (size_t i = all.size(); i > 0; --i) one_by_one.add(&all[i - 1], 1);
  EXPECT_TRUE(same(one_by_one, of(all)));
}

// Registers that could have been filled by very many keys, up to all hashes there are.
TEST(HyperLogLog, DoesNotOverflow) {
  for (int value : {30, 40, 49, 50, 51}) {
    auto sketch = std::make_unique<HyperLogLog>();
    std::memset(static_cast<void *>(sketch.get()), value, sizeof *sketch);
    EXPECT_GE(sketch->estimate(), i64{1} << (value + 12)) << value;
    EXPECT_LE(sketch->estimate(), i64{1} << 62);
  }
}

}  // namespace
}  // namespace mrc
