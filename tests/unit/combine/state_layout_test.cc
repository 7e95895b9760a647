#include "combine/combine.h"

#include <gtest/gtest.h>

#include <array>

namespace mrc {
namespace {

// A reducer of two words, to see who writes where: counts by two and by three.
u64 *words(State *state) { return reinterpret_cast<u64 *>(state); }
const u64 *words(const State *state) { return reinterpret_cast<const u64 *>(state); }

void add_two_words(State *const *states, i64 offset, const u64 *, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    words(states[i] + offset)[0] += 2;
    words(states[i] + offset)[1] += 3;
  }
}
void merge_two_words(State *const *into, State *const *from, i64 offset, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    words(into[i] + offset)[0] += words(from[i] + offset)[0];
    words(into[i] + offset)[1] += words(from[i] + offset)[1];
  }
}
// What separates them is the context; JSON has them in an array.
void finish_two_words(const void *context, const State *state, Notation notation,
                      std::string *out) {
  const std::string both = std::to_string(words(state)[0]) + static_cast<const char *>(context) +
                           std::to_string(words(state)[1]);
  *out += notation == Notation::json ? "[" + both + "]" : both;
}
u64 rank_two_words(const State *state) { return words(state)[1]; }

const Reducer kTwoWords = {.name = "two words",
                           .state_bytes = 16,
                           .add = add_two_words,
                           .merge = merge_two_words,
                           .finish = finish_two_words,
                           .rank = rank_two_words,
                           .context = "/"};

TEST(StateLayout, PutsStatesSideBySide) {
  StateLayout layout({&kCount, &kTwoWords, &kCount});
  EXPECT_EQ(layout.state_bytes(), 32);
  EXPECT_EQ(layout.reducers(), 3);
  EXPECT_STREQ(layout.reducer(1).name, "two words");

  std::array<u64, 4> a{}, b{10, 20, 30, 40};
  State *states[] = {reinterpret_cast<State *>(a.data()), reinterpret_cast<State *>(b.data())};
  layout.add(states, nullptr, 2, nullptr);
  layout.add(states, nullptr, 1, nullptr);
  EXPECT_EQ(a, (std::array<u64, 4>{2, 4, 6, 2}));
  EXPECT_EQ(b, (std::array<u64, 4>{11, 22, 33, 41}));

  layout.merge(&states[0], &states[1], 1, nullptr);
  EXPECT_EQ(a, (std::array<u64, 4>{13, 26, 39, 43}));
  EXPECT_EQ(b, (std::array<u64, 4>{11, 22, 33, 41}));
}

TEST(StateLayout, FinishesAndRanksOneReducerAtATime) {
  StateLayout layout({&kTwoWords, &kCount});
  std::array<u64, 3> numbers = {1, 2, 3};
  const State *state = reinterpret_cast<const State *>(numbers.data());
  std::string text;
  layout.finish(1, state, Notation::text, &text);
  layout.finish(0, state, Notation::text, &text);
  layout.finish(0, state, Notation::json, &text);
  EXPECT_EQ(text, "31/2[1/2]");
  EXPECT_EQ(layout.rank(0, state), 2u);
  EXPECT_EQ(layout.rank(1, state), 3u);
}

TEST(StateLayout, MayBeEmpty) {
  StateLayout layout({});
  EXPECT_EQ(layout.state_bytes(), 0);
  EXPECT_EQ(layout.reducers(), 0);
}

}  // namespace
}  // namespace mrc
