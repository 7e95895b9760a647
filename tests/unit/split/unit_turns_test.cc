#include "split/unit_turns.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

Unit unit(i64 source, i64 number, bool last) {
  return {.source = source, .number = number, .last = last};
}

TEST(UnitTurns, PassThroughTheUnitsOfEachSource) {
  UnitTurns turns({false, true, false, true});
  EXPECT_TRUE(turns.is_next(unit(1, 0, false)));
  turns.pass(unit(1, 0, false));
  EXPECT_TRUE(turns.is_next(unit(1, 1, true)));
  turns.pass(unit(1, 1, true));
  EXPECT_TRUE(turns.is_next(unit(3, 0, true)));
  turns.pass(unit(3, 0, true));
  Unit arrived{.source = 1, .number = 0, .arrived = true};
  EXPECT_TRUE(turns.is_next(arrived)) << "units that arrive follow all others";
  turns.pass(arrived);
  EXPECT_EQ(turns.next(), UnitTurns::Place(4, 1));
}

TEST(UnitTurns, AreWaitedForUntilTheyComeOrStop) {
  UnitTurns turns({true});
  std::mutex mutex;
  std::string order;
  const auto wait_for = [&](i64 number) {
    UnitTurns::Lock lock(mutex);
    if (!turns.wait(unit(0, number, false), &lock)) return;
    order += std::to_string(number);
    turns.pass(unit(0, number, false));
    turns.wake();
  };
  std::thread third(wait_for, 2), second(wait_for, 1), never(wait_for, 5);
  wait_for(0);
  second.join();
  third.join();
  {
    UnitTurns::Lock lock(mutex);
    turns.stop();
  }
  never.join();
  EXPECT_EQ(order, "012");
  EXPECT_TRUE(turns.is_stopped());
}

}  // namespace
}  // namespace mrc
