#include "engine/inner/unit_front.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

Unit unit(i64 source, i64 number, bool last = false) {
  return {.source = source, .number = number, .last = last};
}

TEST(UnitFront, IsGaplessBeforeTheFirstUnit) {
  EXPECT_TRUE(UnitFront({true, true}).is_gapless());
  EXPECT_TRUE(UnitFront({}).is_gapless());
}

TEST(UnitFront, WaitsForAUnitThatOthersHaveOvertaken) {
  UnitFront front({true});
  front.begin(unit(0, 0));
  front.begin(unit(0, 2));
  EXPECT_FALSE(front.is_gapless());
  EXPECT_EQ(front.end(), UnitFront::Place(0, 3));
  front.begin(unit(0, 1));
  EXPECT_TRUE(front.is_gapless());
}

TEST(UnitFront, KnowsWhereASourceEnds) {
  UnitFront front({true, false, true});
  front.begin(unit(0, 0));
  front.begin(unit(2, 0));
  EXPECT_FALSE(front.is_gapless()) << "the last unit of the first source is missing";
  front.begin(unit(0, 1, true));
  EXPECT_TRUE(front.is_gapless());
}

TEST(UnitFront, WaitsForASourceOfWhichNothingHasBegun) {
  UnitFront front({true, true});
  front.begin(unit(1, 0));
  EXPECT_FALSE(front.is_gapless());
  front.begin(unit(0, 0, true));
  EXPECT_TRUE(front.is_gapless());
}

}  // namespace
}  // namespace mrc
