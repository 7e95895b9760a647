#include "base/hash.h"
#include "support/random.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mrc {
namespace {

using std::string;

constexpr u64 kPrime = (u64{1} << 61) - 1;

// As the header says it, word by word.
u64 naive(u64 base, i64 offset, Bytes bytes) {
  const u64 x = base % (kPrime - 2) + 2;
  u64 sum = 0, power = 1;
  for (i64 word = 0; word * 8 < offset + std::ssize(bytes); ++word) {
    u64 value = 0;
    for (i64 i = 0; i < 8; ++i) {
      const i64 at = word * 8 + i - offset;
      if (at < 0 || at >= std::ssize(bytes)) continue;
      value |= u64{static_cast<unsigned char>(bytes[static_cast<size_t>(at)])} << 8 * i;
    }
    sum = static_cast<u64>((static_cast<unsigned __int128>(value) * power + sum) % kPrime);
    power = static_cast<u64>(static_cast<unsigned __int128>(power) * x % kPrime);
  }
  return sum;
}

string random_bytes(Random &random, i64 size) {
  string bytes(static_cast<size_t>(size), '\0');
  for (char &c : bytes) c = static_cast<char>(random());
  return bytes;
}

// Joined from pieces of any length, in any order.
u64 of_pieces(const ContentHash &hash, Random &random, Bytes bytes, i64 longest) {
  std::vector<std::pair<i64, Bytes>> pieces;
  for (size_t at = 0; at < bytes.size();) {
    const Bytes piece = bytes.substr(at, static_cast<size_t>(pick(random, 0, longest)));
    pieces.emplace_back(static_cast<i64>(at), piece);
    at += piece.size();
  }
  std::shuffle(pieces.begin(), pieces.end(), random);
  u64 sum = 0;
  for (const auto &[offset, piece] : pieces) sum = ContentHash::join(sum, hash.of(offset, piece));
  return sum;
}

TEST(ContentHash, IsTheSumThatTheHeaderSays) {
  Random random(first_seed());
  for (int round = 0; round < 300; ++round) {
    const u64 base = random();
    const ContentHash hash(base);
    const string bytes = random_bytes(random, pick(random, 0, 5000));
    const i64 offset = one_in(random, 2) ? 0 : pick(random, 0, 3000);
    ASSERT_EQ(hash.of(offset, bytes), naive(base, offset, bytes)) << offset << " " << bytes.size();
  }
}

TEST(ContentHash, TakesTheGreatestNumbers) {
  for (const u64 base : {u64{0}, ~u64{0}, kPrime - 3, kPrime - 2, kPrime}) {
    const string bytes(10000, '\xff');
    EXPECT_EQ(ContentHash(base).of(0, bytes), naive(base, 0, bytes));
  }
}

TEST(ContentHash, IsTheSameHoweverItIsCut) {
  Random random(first_seed());
  const ContentHash hash(random());
  for (int round = 0; round < 300; ++round) {
    const string bytes = random_bytes(random, pick(random, 0, 20000));
    ASSERT_EQ(of_pieces(hash, random, bytes, one_in(random, 3) ? 9 : 4000), hash.of(0, bytes));
  }
}

TEST(ContentHash, GrowsFarFromTheStart) {
  const ContentHash hash(7);
  const i64 far = (i64{1} << 44) + 5;
  const string bytes = "what is appended to a source of 16 TiB";
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    const u64 sum =
        ContentHash::join(hash.of(far, Bytes(bytes).substr(0, cut)),
                          hash.of(far + static_cast<i64>(cut), Bytes(bytes).substr(cut)));
    EXPECT_EQ(sum, hash.of(far, bytes));
  }
  EXPECT_NE(hash.of(far, bytes), hash.of(far + 8, bytes));
}

TEST(ContentHash, SeesBytesThatChangeOrMove) {
  Random random(first_seed());
  const ContentHash hash(random());
  for (int round = 0; round < 2000; ++round) {
    const string bytes = random_bytes(random, pick(random, 20, 6000));
    const auto at = static_cast<size_t>(pick(random, 0, std::ssize(bytes) - 1));
    const auto other = static_cast<size_t>(pick(random, 0, std::ssize(bytes) - 1));
    string changed = bytes, swapped = bytes;
    changed[at] = static_cast<char>(changed[at] + pick(random, 1, 255));
    std::swap(swapped[at], swapped[other]);
    EXPECT_NE(hash.of(0, changed), hash.of(0, bytes));
    EXPECT_EQ(hash.of(0, swapped) == hash.of(0, bytes), swapped == bytes);
    EXPECT_NE(hash.of(pick(random, 1, 4000), bytes), hash.of(0, bytes));
  }
}

TEST(ContentHash, DependsOnTheBase) {
  EXPECT_NE(ContentHash(1).of(0, "two words, of 16 bytes"),
            ContentHash(2).of(0, "two words, of 16 bytes"));
}

TEST(ContentHash, OfNothingAndOfZerosIsZero) {
  EXPECT_EQ(ContentHash(1).of(0, {}), 0u);
  EXPECT_EQ(ContentHash(1).of(3, string(1000, '\0')), 0u);
}

}  // namespace
}  // namespace mrc
