#include "split/inner/tile_queue.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Eight splits of ten bytes, in the shares of two groups.
class Tiles : public testing::Test {
 protected:
  static std::vector<Split> eight_splits() {
    std::vector<Split> splits;
    for (i64 i = 0; i < 8; ++i) splits.push_back({0, 10 * i, 10 * i + 10, i});
    return splits;
  }
  // The number of the split; -1: there are no more.
  i64 claim(i64 group) {
    const Split *split = queue_.claim(group, &place_);
    return split == nullptr ? -1 : split->number;
  }
  void expect_claim(i64 group, i64 split, i64 tile, i64 units_before) {
    EXPECT_EQ(claim(group), split);
    EXPECT_EQ(place_.number, tile);
    EXPECT_EQ(place_.units_before, units_before);
  }

  const std::vector<Split> splits_ = eight_splits();
  TileQueue queue_{splits_, {{6, 8}, {{1}, {0}}}, 15};
  TilePlace place_;
};

TEST_F(Tiles, HaveTheSplitsOfOneShareInTheirOrder) {
  expect_claim(0, 0, 0, 0);
  expect_claim(1, 6, 0, 0);
  expect_claim(0, 1, 0, 0);
  expect_claim(0, 2, 1, 2);
  expect_claim(0, 3, 1, 0);
  expect_claim(1, 7, 0, 0);
  EXPECT_EQ(queue_.stolen_tiles(), 0);
}

TEST_F(Tiles, AreStolenWhole) {
  EXPECT_EQ(claim(1), 6);
  EXPECT_EQ(claim(1), 7);
  expect_claim(1, 0, 1, 2);
  expect_claim(0, 2, 0, 0);
  expect_claim(1, 1, 1, 0);
  expect_claim(1, 4, 2, 2);
  expect_claim(0, 3, 0, 0);
  EXPECT_EQ(claim(0), -1) << "the last tile is of the other group, to its end";
  expect_claim(1, 5, 2, 0);
  EXPECT_EQ(claim(1), -1);
  EXPECT_EQ(queue_.stolen_tiles(), 2);
}

TEST_F(Tiles, TakeBlocksOfStreamsUntilTheyAreFull) {
  EXPECT_EQ(queue_.claim_block(0, 10).number, 0);
  EXPECT_EQ(queue_.claim_block(0, 10).number, 0);
  const TilePlace next = queue_.claim_block(0, 10);
  EXPECT_EQ(next.number, 1);
  EXPECT_EQ(next.units_before, 2);
  EXPECT_EQ(queue_.claim_block(1, 10).number, 0) << "each group has tiles of its own";
}

}  // namespace
}  // namespace mrc
