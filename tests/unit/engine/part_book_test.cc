#include "engine/inner/part_book.h"

#include "split/split.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(PartBook, CompletesATileWithTheLastOfItsUnits) {
  std::vector<Source> sources(3);
  sources[1].parts = {{10, 30}, {30, 40}};
  sources[1].end = 100;
  sources[2].parts = {{0, 5}};
  sources[2].end = 5;
  PartBook book(sources, plan_splits(sources, 10));
  EXPECT_EQ(book.tiles(), 3);
  EXPECT_EQ(book.tile_of(0, 0), -1);
  EXPECT_EQ(book.tile_of(1, 10), 0);
  EXPECT_EQ(book.tile_of(1, 29), 0);
  EXPECT_EQ(book.tile_of(1, 30), 1);
  EXPECT_EQ(book.tile_of(2, 0), 2);
  const i64 units = std::ssize(plan_splits({sources[1]}, 10)) - 1;
  EXPECT_GT(units, 1);
  EXPECT_FALSE(book.leave(0, units - 1));
  EXPECT_TRUE(book.leave(2, 1));
  EXPECT_TRUE(book.leave(0, 1));
}

TEST(PartBook, HasNoTileOfASourceWithoutParts) {
  const std::vector<Source> sources(2);
  const PartBook book(sources, {});
  EXPECT_EQ(book.tiles(), 0);
  EXPECT_EQ(book.tile_of(1, 0), -1);
}

}  // namespace
}  // namespace mrc
