#include "combine/combine.h"
#include "support/reducer_calls.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

State *state(u64 *number) { return reinterpret_cast<State *>(number); }

std::string finished(u64 number) {
  std::string text = "as ";
  StateLayout(count_aggregation()).finish(0, state(&number), Notation::text, &text);
  return text;
}

TEST(Count, AddsOneForEveryRecord) {
  u64 a = 0, b = 41;
  State *states[] = {state(&a), state(&b), state(&a), state(&a)};
  add_part({&kCount}, states, {}, 4, nullptr);
  EXPECT_EQ(a, 3u);
  EXPECT_EQ(b, 42u);
  add_part({&kCount}, states, {}, 0, nullptr);
  EXPECT_EQ(a, 3u);
}

TEST(Count, FindsItsStateAtAnOffset) {
  u64 states[3] = {7, 7, 7}, others[3] = {1, 2, 3};
  State *into = state(states), *from = state(others);
  Part part(&kCount);
  part.offset = 16;
  add_part(part, &into, {}, 1, nullptr);
  EXPECT_EQ(states[2], 8u);
  part.offset = 8;
  merge_part(part, &into, &from, 1, nullptr);
  EXPECT_EQ(states[1], 9u);
  EXPECT_EQ(states[0], 7u);
}

TEST(Count, MergesToTheSumWithZeroAsIdentity) {
  for (u64 a : {u64{0}, u64{1}, u64{1} << 40}) {
    for (u64 b : {u64{0}, u64{5}, u64{1} << 50}) {
      u64 ab = a, ba = b;
      State *into[] = {state(&ab), state(&ba)};
      State *from[] = {state(&b), state(&a)};
      merge_part({&kCount}, into, from, 2, nullptr);
      EXPECT_EQ(ab, a + b);
      EXPECT_EQ(ba, a + b);
    }
  }
}

TEST(Count, FinishesAsADecimalNumber) {
  EXPECT_EQ(finished(0), "as 0");
  EXPECT_EQ(finished(1234567), "as 1234567");
  EXPECT_EQ(finished(~u64{0}), "as 18446744073709551615");
}

TEST(Count, RanksAsItself) {
  for (u64 number : {u64{0}, u64{1}, ~u64{0}}) {
    EXPECT_EQ(StateLayout(count_aggregation()).rank(0, state(&number)), number);
  }
}

}  // namespace
}  // namespace mrc
