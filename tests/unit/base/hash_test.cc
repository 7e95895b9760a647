#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace mrc {
namespace {

TEST(FoldMultiply, IsBothHalvesOfTheProduct) {
  EXPECT_EQ(fold_multiply(0, 12345), 0u);
  EXPECT_EQ(fold_multiply(3, 5), 15u);
  EXPECT_EQ(fold_multiply(u64{1} << 63, 2), 1u);
  EXPECT_EQ(fold_multiply(~u64{0}, ~u64{0}), ~u64{0});  // 2^128 - 2^65 + 1
}

TEST(Seed, IsAnotherOneForEveryJob) {
  Seed a = Seed::random(), b = Seed::random();
  EXPECT_NE(a.a, b.a);
  EXPECT_NE(a.b, b.b);
}

TEST(HashBytes, DependsOnEveryByteTheLengthAndTheSeed) {
  const Seed seed{1, 2};
  for (size_t size : {1, 3, 4, 8, 9, 16, 17, 31, 32, 100, 128, 129, 240, 241, 1000}) {
    std::string text(size, 'x');
    const u64 hash = hash_bytes(text, seed);
    EXPECT_EQ(hash_bytes(std::string(text), seed), hash);
    EXPECT_NE(hash_bytes(text, Seed{3, 2}), hash);
    EXPECT_NE(hash_bytes(text + '\0', seed), hash);
    for (size_t i = 0; i < size; ++i) {
      text[i] = 'y';
      EXPECT_NE(hash_bytes(text, seed), hash) << "byte " << i << " of " << size;
      text[i] = 'x';
    }
  }
}

TEST(Checksum, IsXxh3) {
  EXPECT_EQ(checksum_bytes(""), 0x2D06800538D394C2u);  // as of xxhsum -H3 /dev/null
}

TEST(Checksum, OfPiecesIsThatOfTheWhole) {
  for (size_t size : {0, 1, 5, 17, 240, 241, 1024, 5000}) {
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>(i * 7);
    for (size_t cut : {size_t{0}, size / 3, size}) {
      const Bytes pieces[] = {Bytes(text).substr(0, cut), {}, Bytes(text).substr(cut)};
      EXPECT_EQ(checksum_pieces(pieces), checksum_bytes(text)) << size << " cut at " << cut;
    }
  }
}

}  // namespace
}  // namespace mrc
