#include "combine/combine.h"

#include <gtest/gtest.h>

#include <array>

namespace mrc {
namespace {

// A reducer of two words, to see who writes where: counts by two and by three.
u64 *words(State *state) { return reinterpret_cast<u64 *>(state); }
const u64 *words(const State *state) { return reinterpret_cast<const u64 *>(state); }

void add_two_words(const Part &part, State *const *states, ValueRows, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    words(states[i] + part.offset)[0] += 2;
    words(states[i] + part.offset)[1] += 3;
  }
}
void merge_two_words(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    words(into[i] + part.offset)[0] += words(from[i] + part.offset)[0];
    words(into[i] + part.offset)[1] += words(from[i] + part.offset)[1];
  }
}
const Reducer kTwoWords = make_reducer<add_two_words, merge_two_words>(16);

// What separates them is the context; JSON has them in an array.
void finish_two_words(const Column &column, const State *own, Notation notation, std::string *out) {
  const std::string both = std::to_string(words(own)[0]) +
                           static_cast<const char *>(column.context) +
                           std::to_string(words(own)[1]);
  *out += notation == Notation::json ? "[" + both + "]" : both;
}
u64 rank_two_words(const Column &, const State *own) { return words(own)[1]; }

Column two_words_column(i64 part) {
  return {"two words", finish_two_words, rank_two_words, part, false, "/"};
}

TEST(StateLayout, PutsStatesSideBySide) {
  StateLayout layout({{{&kCount}, {&kTwoWords}, {&kCount}}, {}, {}});
  EXPECT_EQ(layout.state_bytes(), 32);
  EXPECT_EQ(layout.columns(), 0);

  std::array<u64, 4> a{}, b{10, 20, 30, 40};
  State *states[] = {reinterpret_cast<State *>(a.data()), reinterpret_cast<State *>(b.data())};
  layout.add(states, {}, 2, nullptr);
  layout.add(states, {}, 1, nullptr);
  EXPECT_EQ(a, (std::array<u64, 4>{2, 4, 6, 2}));
  EXPECT_EQ(b, (std::array<u64, 4>{11, 22, 33, 41}));

  layout.merge(&states[0], &states[1], 1, nullptr);
  EXPECT_EQ(a, (std::array<u64, 4>{13, 26, 39, 43}));
  EXPECT_EQ(b, (std::array<u64, 4>{11, 22, 33, 41}));
}

TEST(StateLayout, FinishesAndRanksOneColumnAtATime) {
  // Columns in any order, and one part shown twice.
  StateLayout layout(
      {{{&kTwoWords}, {&kCount}}, {count_column(1), two_words_column(0), count_column(1)}, {}});
  EXPECT_EQ(layout.columns(), 3);
  EXPECT_EQ(layout.column(1).name, "two words");
  std::array<u64, 3> numbers = {1, 2, 3};
  const State *state = reinterpret_cast<const State *>(numbers.data());
  std::string text;
  layout.finish(0, state, Notation::text, &text);
  layout.finish(1, state, Notation::text, &text);
  layout.finish(1, state, Notation::json, &text);
  layout.finish(2, state, Notation::text, &text);
  EXPECT_EQ(text, "31/2[1/2]3");
  EXPECT_EQ(layout.rank(0, state), 3u);
  EXPECT_EQ(layout.rank(1, state), 2u);
}

TEST(StateLayout, MayBeEmpty) {
  StateLayout layout({});
  EXPECT_EQ(layout.state_bytes(), 0);
  EXPECT_EQ(layout.columns(), 0);
}

}  // namespace
}  // namespace mrc
