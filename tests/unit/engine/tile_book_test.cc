#include "engine/inner/tile_book.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// A unit of ten bytes.
Unit unit(i64 source, i64 number, bool last = false) {
  return {source, 10 * number, 10 * number + 10, number, last};
}

TEST(TilesBySize, EndWhenTheyAreLarge) {
  TileBook book(30);
  for (i64 i = 0; i < 3; ++i) EXPECT_EQ(book.enter(unit(0, i)), 0);
  EXPECT_EQ(book.enter(unit(0, 3)), 1);
  EXPECT_EQ(book.enter(unit(1, 0)), 1);
  EXPECT_FALSE(book.leave(0, 2));
  EXPECT_TRUE(book.leave(0, 1));
  EXPECT_FALSE(book.leave(1, 2)) << "more may come";
}

// Two sources are read at the same time: a tile has a stretch of each.
TEST(TilesBySize, FollowEachOtherInEverySource) {
  TileBook book(30);
  EXPECT_EQ(book.enter(unit(0, 0)), 0);
  EXPECT_EQ(book.enter(unit(1, 0)), 0);
  EXPECT_EQ(book.enter(unit(1, 1)), 0);
  EXPECT_EQ(book.enter(unit(0, 1)), 1);
  EXPECT_EQ(book.enter(unit(1, 2)), 1);
  EXPECT_TRUE(book.leave(0, 3));
}

// What was claimed before the tile ended, and came late, is its own.
TEST(TilesBySize, WaitForUnitsThatCameLate) {
  TileBook book(30);
  EXPECT_EQ(book.enter(unit(0, 1)), 0);
  EXPECT_EQ(book.enter(unit(0, 3)), 0);
  EXPECT_EQ(book.enter(unit(0, 2)), 0);
  EXPECT_EQ(book.enter(unit(0, 4)), 1);
  EXPECT_FALSE(book.leave(0, 3)) << "unit 0 has not come";
  EXPECT_EQ(book.enter(unit(0, 0)), 0);
  EXPECT_TRUE(book.leave(0, 1));
}

TEST(TilesBySize, EndWhenTheyAreTold) {
  TileBook book(1000);
  EXPECT_FALSE(book.end_tile()) << "it has no units";
  EXPECT_EQ(book.enter(unit(0, 0)), 0);
  EXPECT_FALSE(book.leave(0, 1));
  EXPECT_TRUE(book.end_tile());
  EXPECT_EQ(book.enter(unit(0, 1)), 1);
}

TEST(TilesBySource, AreCompleteAfterTheLastUnit) {
  TileBook book(0);
  EXPECT_EQ(book.enter(unit(0, 1, true)), 0);
  EXPECT_EQ(book.enter(unit(5, 0)), 1);
  EXPECT_FALSE(book.leave(0, 1));
  EXPECT_EQ(book.enter(unit(0, 0)), 0);
  EXPECT_TRUE(book.leave(0, 1));
  EXPECT_FALSE(book.leave(1, 1));
  EXPECT_EQ(book.close(), std::vector<i64>{1}) << "its input could not be read to its end";
  EXPECT_EQ(book.close(), std::vector<i64>{});
}

}  // namespace
}  // namespace mrc
