#include "engine/inner/ledger.h"

#include "split/split.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// A unit of ten bytes.
Unit unit(i64 source, i64 number, bool last = false) {
  return {source, 10 * number, 10 * number + 10, number, last};
}

// Sources of 100 bytes.
Ledger of_sources(i64 number) {
  std::vector<Source> sources(static_cast<size_t>(number));
  for (Source &source : sources) source.end = 100;
  return Ledger::by_source(sources, {});
}

TEST(TilesBySize, EndWhenTheyAreLarge) {
  Ledger ledger = Ledger::by_size(30);
  for (i64 i = 0; i < 3; ++i) EXPECT_EQ(ledger.enter(unit(0, i)), 0);
  EXPECT_EQ(ledger.enter(unit(0, 3)), 1);
  EXPECT_EQ(ledger.enter(unit(1, 0)), 1);
  EXPECT_FALSE(ledger.leave(0, 2));
  EXPECT_TRUE(ledger.leave(0, 1));
  EXPECT_FALSE(ledger.leave(1, 2)) << "more may come";
}

// Two sources are read at the same time: a tile has a stretch of each.
TEST(TilesBySize, FollowEachOtherInEverySource) {
  Ledger ledger = Ledger::by_size(30);
  EXPECT_EQ(ledger.enter(unit(0, 0)), 0);
  EXPECT_EQ(ledger.enter(unit(1, 0)), 0);
  EXPECT_EQ(ledger.enter(unit(1, 1)), 0);
  EXPECT_EQ(ledger.enter(unit(0, 1)), 1);
  EXPECT_EQ(ledger.enter(unit(1, 2)), 1);
  EXPECT_TRUE(ledger.leave(0, 3));
}

// What was claimed before the tile ended, and came late, is its own.
TEST(TilesBySize, WaitForUnitsThatCameLate) {
  Ledger ledger = Ledger::by_size(30);
  EXPECT_EQ(ledger.enter(unit(0, 1)), 0);
  EXPECT_EQ(ledger.enter(unit(0, 3)), 0);
  EXPECT_EQ(ledger.enter(unit(0, 2)), 0);
  EXPECT_EQ(ledger.enter(unit(0, 4)), 1);
  EXPECT_FALSE(ledger.leave(0, 3)) << "unit 0 has not come";
  EXPECT_EQ(ledger.enter(unit(0, 0)), 0);
  EXPECT_TRUE(ledger.leave(0, 1));
}

TEST(TilesBySize, EndWhenTheyAreTold) {
  Ledger ledger = Ledger::by_size(1000);
  ledger.end_tile();
  EXPECT_EQ(ledger.enter(unit(0, 0)), 0) << "a tile without units does not end";
  EXPECT_FALSE(ledger.leave(0, 1));
  EXPECT_EQ(ledger.front(), 0);
  ledger.end_tile();
  EXPECT_EQ(ledger.front(), 1);
  EXPECT_EQ(ledger.enter(unit(0, 1)), 1);
}

TEST(TilesBySize, AreBeforeTheFrontWhenAllBeforeThemAreComplete) {
  Ledger ledger = Ledger::by_size(10);
  for (i64 i = 0; i < 3; ++i) EXPECT_EQ(ledger.enter(unit(0, i)), i);
  EXPECT_TRUE(ledger.leave(1, 1));
  EXPECT_EQ(ledger.front(), 0);
  EXPECT_TRUE(ledger.leave(0, 1));
  EXPECT_EQ(ledger.front(), 2);
}

TEST(TilesBySource, AreCompleteAfterTheLastUnit) {
  Ledger ledger = of_sources(6);
  EXPECT_EQ(ledger.enter(unit(0, 1, true)), 0);
  EXPECT_EQ(ledger.enter(unit(5, 0)), 1);
  EXPECT_FALSE(ledger.leave(0, 1));
  EXPECT_EQ(ledger.enter(unit(0, 0)), 0);
  EXPECT_TRUE(ledger.leave(0, 1));
  EXPECT_FALSE(ledger.leave(1, 1));
  EXPECT_EQ(ledger.close(), std::vector<i64>{1}) << "its input could not be read to its end";
  EXPECT_EQ(ledger.close(), std::vector<i64>{});
}

TEST(TilesOfParts, AreCompleteWithTheLastOfTheirUnits) {
  std::vector<Source> sources(3);
  sources[0].end = 10;
  sources[1].parts = {{10, 30}, {30, 40}};
  sources[1].end = 100;
  sources[2].parts = {{0, 5}};
  sources[2].end = 5;
  const std::vector<Split> splits = plan_splits(sources, 10);
  Ledger ledger = Ledger::by_source(sources, splits);
  EXPECT_EQ(ledger.enter({0, 0, 10, 0, true}), 3) << "the tile after those of parts";
  EXPECT_EQ(ledger.enter({1, 10, 20, 0, false}), 0);
  EXPECT_EQ(ledger.enter({1, 29, 30, 1, false}), 0);
  EXPECT_EQ(ledger.enter({1, 30, 40, 2, true}), 1);
  EXPECT_EQ(ledger.enter({2, 0, 5, 0, true}), 2);
  const i64 units = std::ssize(plan_splits({sources[1]}, 10)) - 1;
  EXPECT_GT(units, 1);
  EXPECT_FALSE(ledger.leave(0, units - 1));
  EXPECT_TRUE(ledger.leave(2, 1));
  EXPECT_TRUE(ledger.leave(0, 1));
  EXPECT_EQ(ledger.close(), std::vector<i64>{}) << "no unit of the others is mapped";
}

TEST(UnitsThatHaveBegun, AreGaplessBeforeTheFirst) {
  EXPECT_TRUE(of_sources(2).is_gapless());
  EXPECT_TRUE(of_sources(0).is_gapless());
}

TEST(UnitsThatHaveBegun, WaitForOneThatOthersHaveOvertaken) {
  Ledger ledger = of_sources(1);
  ledger.enter(unit(0, 0));
  ledger.enter(unit(0, 2));
  EXPECT_FALSE(ledger.is_gapless());
  EXPECT_EQ(ledger.end(), Ledger::Place(0, 3));
  ledger.enter(unit(0, 1));
  EXPECT_TRUE(ledger.is_gapless());
}

TEST(UnitsThatHaveBegun, KnowWhereASourceEnds) {
  std::vector<Source> sources(3);
  sources[0].end = sources[2].end = 100;
  Ledger ledger = Ledger::by_source(sources, {});
  ledger.enter(unit(0, 0));
  ledger.enter(unit(2, 0));
  EXPECT_FALSE(ledger.is_gapless()) << "the last unit of the first source is missing";
  ledger.enter(unit(0, 1, true));
  EXPECT_TRUE(ledger.is_gapless());
}

TEST(UnitsThatHaveBegun, WaitForASourceOfWhichNothingHasBegun) {
  Ledger ledger = of_sources(2);
  ledger.enter(unit(1, 0));
  EXPECT_FALSE(ledger.is_gapless());
  ledger.enter(unit(0, 0, true));
  EXPECT_TRUE(ledger.is_gapless());
}

}  // namespace
}  // namespace mrc
