#include "map/key_image.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <set>

namespace mrc {
namespace {

u64 byte_at(int lane, u64 byte) { return byte << (8 * lane); }

TEST(FoldWord, FoldsEveryByteInEveryLaneAndNoOther) {
  for (u64 others : {0x00, 0xFF, 0x41, 0x5A, 0x61, 0x40, 0x5B, 0x80, 0xC1}) {
    for (int lane = 0; lane < 8; ++lane) {
      for (u64 byte = 0; byte < 256; ++byte) {
        u64 word = 0, expected = 0;
        for (int i = 0; i < 8; ++i) {
          const u64 c = i == lane ? byte : others;
          word |= byte_at(i, c);
          expected |= byte_at(i, c >= 'A' && c <= 'Z' ? c + 32 : c);
        }
        ASSERT_EQ(fold_word(word), expected) << "byte " << byte << " in lane " << lane;
      }
    }
  }
}

TEST(LowBytes, AreSetFromNoneToAll) {
  u64 expected = 0;
  for (u64 n = 0; n <= 8; ++n) {
    EXPECT_EQ(low_bytes(n), expected);
    expected = expected << 8 | 0xFF;
  }
}

std::string sample(size_t size) {
  std::string key;
  for (size_t i = 0; i < size; ++i) key.push_back(static_cast<char>(i * 37 + 0xC0));
  return key;
}

TEST(KeyImage, GivesItsBytesBackWhateverFollowsThem) {
  for (size_t size = 0; size <= 31; ++size) {
    for (char padding : {'\0', 'x', '\xFF'}) {
      const std::string key = sample(size);
      const PaddedText padded(key, padding, size % 8);
      if (size <= Key16::kLongest) {
        EXPECT_EQ(key_bytes(image16<Fold::none>(padded.text().data(), size)), key);
      } else {
        EXPECT_EQ(key_bytes(image32<Fold::none>(padded.text().data(), size)), key);
      }
    }
  }
}

// Of NULs only, of every length: what a careless image would take for one key.
TEST(KeyImage, TellsTrailingNulsApart) {
  std::set<std::array<u64, 2>> short_images;
  std::set<std::array<u64, 4>> medium_images;
  const std::string nuls(96, '\0');
  for (size_t size = 0; size <= 31; ++size) {
    if (size <= Key16::kLongest) {
      const Key16 key = image16<Fold::none>(nuls.data(), size);
      EXPECT_NE(key.word[1], 0u);
      EXPECT_TRUE(short_images.insert({key.word[0], key.word[1]}).second) << size;
    } else {
      const Key32 key = image32<Fold::none>(nuls.data(), size);
      EXPECT_NE(key.word[3], 0u);
      EXPECT_TRUE(medium_images.insert({key.word[0], key.word[1], key.word[2], key.word[3]}).second)
          << size;
    }
  }
}

TEST(KeyImage, IsTheSameForTheSameBytesInOtherPlaces) {
  for (size_t size = 0; size <= 31; ++size) {
    const PaddedText a(sample(size), '\0', 0), b(sample(size), '\xFF', 5);
    if (size <= Key16::kLongest) {
      const Key16 x = image16<Fold::all>(a.text().data(), size);
      const Key16 y = image16<Fold::all>(b.text().data(), size);
      EXPECT_EQ(std::memcmp(&x, &y, sizeof x), 0) << size;
      EXPECT_EQ(hash(x, Seed{5, 6}), hash(y, Seed{5, 6}));
    } else {
      const Key32 x = image32<Fold::letters>(a.text().data(), size);
      const Key32 y = image32<Fold::letters>(b.text().data(), size);
      EXPECT_EQ(std::memcmp(&x, &y, sizeof x), 0) << size;
      EXPECT_EQ(hash(x, Seed{5, 6}), hash(y, Seed{5, 6}));
    }
  }
}

TEST(KeyImage, FoldsOnTheWay) {
  const PaddedText text("ABC-\xC3\x89[xyz]WORDabcdefGHIJKL@Z");
  const Bytes bytes = text.text();
  EXPECT_EQ(key_bytes(image16<Fold::none>(bytes.data(), 13)), bytes.substr(0, 13));
  EXPECT_EQ(key_bytes(image16<Fold::all>(bytes.data(), 13)), "abc-\xC3\x89[xyz]wo");
  EXPECT_EQ(key_bytes(image32<Fold::all>(bytes.data(), bytes.size())),
            "abc-\xC3\x89[xyz]wordabcdefghijkl@z");
  EXPECT_EQ(key_bytes(image16<Fold::letters>("AbCdEfGhIjKlMnOpQrSt", 15)), "abcdefghijklmno");
  EXPECT_EQ(key_bytes(image32<Fold::letters>("AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjK", 17)),
            "abcdefghijklmnopq");
}

template <typename Key>
void expect_hash_depends_on_all(Key key) {
  const u64 before = hash(key, Seed{7, 8});
  EXPECT_NE(hash(key, Seed{9, 8}), before);
  EXPECT_NE(hash(key, Seed{7, 9}), before);
  for (u64 &word : key.word) {
    for (int bit = 0; bit < 64; ++bit) {
      word ^= u64{1} << bit;
      EXPECT_NE(hash(key, Seed{7, 8}), before) << bit;
      word ^= u64{1} << bit;
    }
  }
}

TEST(KeyHash, DependsOnEveryBitAndOnTheSeed) {
  expect_hash_depends_on_all(Key16{{0x1111, 0x0222}});
  expect_hash_depends_on_all(Key32{{0x1111, 0x0222, 0x3333, 0x4444}});
}

}  // namespace
}  // namespace mrc
