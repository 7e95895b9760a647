#include "combine/combine.h"
#include "support/reducer_calls.h"

#include <gtest/gtest.h>

#include <cstring>

namespace mrc {
namespace {

constexpr u64 kLast = ~u64{0} - 1;  // the largest that is not "none"

State *first_state(u64 *words) { return reinterpret_cast<State *>(words); }

u64 rank(const State *own) { return StateLayout(first_aggregation()).rank(0, own); }

u64 first_of(const std::vector<u64> &values) {
  u64 word = 0;
  std::vector<State *> states(values.size(), first_state(&word));
  add_part({&kFirst}, states.data(), {values.data(), 1}, std::ssize(values), nullptr);
  return rank(first_state(&word));
}

TEST(First, IsTheSmallestValue) {
  EXPECT_EQ(first_of({7}), 7u);
  EXPECT_EQ(first_of({0}), 0u);
  EXPECT_EQ(first_of({kLast}), kLast);
  EXPECT_EQ(first_of({9, 3, 5}), 3u);
  EXPECT_EQ(first_of({kLast, 0, kLast}), 0u);
}

TEST(First, ReadsItsColumn) {
  u64 word = 0;
  State *states[] = {first_state(&word), first_state(&word)};
  const u64 values[] = {1, 9, 2, 8};
  add_part({&kFirst, 1}, states, {values, 2}, 2, nullptr);
  EXPECT_EQ(rank(states[0]), 8u);
}

TEST(First, FindsItsStateAtAnOffset) {
  u64 words[3] = {};
  State *into = first_state(words);
  const u64 value = 5;
  Part part(&kFirst);
  part.offset = 8;
  add_part(part, &into, {&value, 1}, 1, nullptr);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(rank(into + 8), 5u);
  EXPECT_EQ(words[2], 0u);
}

TEST(First, MergesToTheSmallerWithZeroBytesAsIdentity) {
  for (u64 a : {u64{0}, u64{1}, u64{1} << 40, kLast}) {
    for (u64 b : {u64{0}, u64{1}, u64{1} << 50, kLast}) {
      u64 words[] = {0, 0, 0, 0};
      State *states[] = {first_state(words), first_state(words + 1)};
      const u64 values[] = {a, b};
      add_part({&kFirst}, states, {values, 1}, 2, nullptr);
      State *into[] = {states[0], states[1], first_state(words + 2), states[0]};
      State *from[] = {states[1], states[0], states[0], first_state(words + 3)};
      merge_part({&kFirst}, into, from, 4, nullptr);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(rank(into[i]), std::min(a, b));
    }
  }
}

TEST(First, FinishesAsADecimalNumber) {
  u64 word = 0;
  State *into = first_state(&word);
  const u64 value = 1234567;
  add_part({&kFirst}, &into, {&value, 1}, 1, nullptr);
  for (Notation notation : {Notation::text, Notation::json}) {
    std::string text = "at ";
    StateLayout(first_aggregation()).finish(0, into, notation, &text);
    EXPECT_EQ(text, "at 1234567");
  }
}

}  // namespace
}  // namespace mrc
