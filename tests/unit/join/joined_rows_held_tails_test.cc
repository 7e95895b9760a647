#include "join/joined_rows.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string all_of(HeldTails *tails, i64 most = INT64_MAX) {
  std::string all;
  EXPECT_TRUE(tails
                  ->each([&](u64 position, Bytes text) {
                    all += std::to_string(position) + std::string(text) + " ";
                    return --most > 0;
                  })
                  .is_ok());
  return all;
}

TEST(HeldTails, ComeBackInTheirOrderFromMemoryAndFromAFile) {
  for (const i64 most_bytes : {i64{0}, i64{40}, i64{1} << 20}) {
    HeldTails tails("/tmp", most_bytes);
    EXPECT_TRUE(tails.empty());
    for (u64 i = 0; i < 5; ++i) EXPECT_TRUE(tails.add(i, std::string(i, 'x')).is_ok());
    EXPECT_FALSE(tails.empty());
    EXPECT_EQ(all_of(&tails), "0 1x 2xx 3xxx 4xxxx ");
    EXPECT_EQ(all_of(&tails, 2), "0 1x ");
    tails.clear();
    EXPECT_TRUE(tails.empty());
    EXPECT_TRUE(tails.add(7, "y").is_ok());
    EXPECT_EQ(all_of(&tails), "7y ");
  }
}

TEST(HeldTails, MayBeLongerThanAPieceOfTheFile) {
  HeldTails tails("/tmp", 0);
  const std::string large(size_t{3} << 20, 'z');
  for (u64 i = 0; i < 3; ++i) EXPECT_TRUE(tails.add(i, i == 1 ? large : "small").is_ok());
  EXPECT_EQ(all_of(&tails), "0small 1" + large + " 2small ");
}

TEST(HeldTails, SayWhereAFileCannotBeMade) {
  HeldTails tails("/nowhere", 0);
  EXPECT_FALSE(tails.add(0, "x").is_ok());
}

}  // namespace
}  // namespace mrc
