#include "engine/tile_book.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// A unit of ten bytes.
Unit unit(i64 source, i64 number, bool last = false) {
  return {source, 10 * number, 10 * number + 10, number, last};
}

// Two files of five units each, in tiles of thirty bytes.
class TilesBySize : public testing::Test {
 protected:
  i64 enter(i64 source, i64 number) { return book_.enter(unit(source, number), false); }

  TileBook book_{{0, 5, 10}, 30};
};

TEST_F(TilesBySize, HaveUnitsThatFollowEachOther) {
  for (i64 i = 0; i < 3; ++i) EXPECT_EQ(enter(0, i), 0);
  EXPECT_EQ(enter(0, 3), 1);
  EXPECT_EQ(enter(0, 4), 1);
  EXPECT_EQ(enter(1, 0), 1);
  EXPECT_EQ(enter(1, 1), 2);
}

TEST_F(TilesBySize, AreCompleteWhenTheLastUnitLeaves) {
  for (i64 i = 0; i < 4; ++i) enter(0, i);
  EXPECT_FALSE(book_.leave(0, 2));
  EXPECT_FALSE(book_.leave(1, 1));
  EXPECT_TRUE(book_.leave(0, 1));
  EXPECT_EQ(book_.close(), std::vector<i64>{1});
  EXPECT_EQ(book_.close(), std::vector<i64>{});
}

// Workers claim from both ends of the input: the tile reaches as far as any of them has.
TEST_F(TilesBySize, HaveNoGaps) {
  EXPECT_EQ(enter(0, 0), 0);
  EXPECT_EQ(enter(1, 2), 0);
  EXPECT_EQ(enter(0, 1), 0);
  EXPECT_EQ(enter(1, 3), 1);
  EXPECT_EQ(enter(0, 2), 0);
  EXPECT_FALSE(book_.leave(0, 4)) << "units 3 to 6 have not come";
  for (const auto &[source, number] : {std::pair(0, 3), {0, 4}, {1, 0}, {1, 1}}) {
    EXPECT_EQ(enter(source, number), 0);
  }
  EXPECT_TRUE(book_.leave(0, 4));
}

TEST_F(TilesBySize, EndWhereTheyAreToldTo) {
  EXPECT_EQ(enter(0, 0), 0);
  book_.end_tile();
  book_.end_tile();
  EXPECT_EQ(enter(0, 1), 1);
  EXPECT_TRUE(book_.leave(0, 1));
}

TEST_F(TilesBySize, AreNotClosedWhileUnitsAreMapped) {
  enter(0, 0);
  enter(0, 1);
  EXPECT_FALSE(book_.leave(0, 1));
  EXPECT_EQ(book_.close(), std::vector<i64>{});
}

TEST_F(TilesBySize, HaveStreamsOnlyAsAWhole) {
  EXPECT_EQ(book_.enter(unit(2, 0), true), 0);
  EXPECT_EQ(book_.enter(unit(3, 0), true), 0);
  EXPECT_EQ(enter(0, 0), 1) << "files have tiles of their own";
  for (i64 i = 1; i < 4; ++i) EXPECT_EQ(book_.enter(unit(2, i), true), 0);
  EXPECT_EQ(book_.enter(unit(4, 0, true), true), 2);
  EXPECT_FALSE(book_.leave(0, 5));
  EXPECT_EQ(book_.enter(unit(2, 4, true), true), 0);
  EXPECT_FALSE(book_.leave(0, 1)) << "the other stream goes on";
  EXPECT_EQ(book_.enter(unit(3, 1, true), true), 0);
  EXPECT_TRUE(book_.leave(0, 1));
}

TEST(TilesBySource, HaveOneSourceEach) {
  TileBook book({0, 2, 4}, 0);
  EXPECT_EQ(book.enter(unit(1, 0), false), 0);
  EXPECT_EQ(book.enter(unit(0, 0), false), 1);
  EXPECT_EQ(book.enter(unit(1, 1, true), false), 0);
  EXPECT_EQ(book.enter(unit(2, 0, true), true), 2);
  EXPECT_TRUE(book.leave(0, 2));
  EXPECT_FALSE(book.leave(1, 1)) << "its last unit has not come";
  EXPECT_EQ(book.enter(unit(0, 1, true), false), 1);
  EXPECT_TRUE(book.leave(1, 1));
  EXPECT_TRUE(book.leave(2, 1));
  EXPECT_EQ(book.close(), std::vector<i64>{});
}

}  // namespace
}  // namespace mrc
