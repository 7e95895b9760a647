#include "combine/combine.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

// A reducer of two words, to see which reducer writes where: counts by two and by three.
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

// A reducer that init makes: what is in its state shows whether it was, and how often.
void init_nine(const mrc_part *part, State *state) { words(state + part->offset)[0] += 9; }
Reducer with_init(Reducer reducer) {
  reducer.init = init_nine;
  return reducer;
}
const Reducer kFromNine = with_init(kTwoWords);

// One that owns more than the arena has: live ones are counted.
struct Owner {
  std::string *text;  // null if init was not called, which is a fault, or after destroy
  u64 own;
};
i64 owners = 0;
Owner *owner_at(const mrc_part *part, State *state) { return MRC_STATE(Owner, part, state); }
void init_owner(const mrc_part *part, State *state) {
  ASSERT_EQ(owner_at(part, state)->text, nullptr);
  owner_at(part, state)->text = new std::string;
  ++owners;
}
void destroy_owner(const mrc_part *part, State *state) {
  ASSERT_NE(owner_at(part, state)->text, nullptr) << "destroyed twice";
  delete std::exchange(owner_at(part, state)->text, nullptr);
  --owners;
}
void add_owner(const mrc_part *part, State *const *states, mrc_values values, i64 n, mrc_arena *) {
  for (i64 i = 0; i < n; ++i) {
    owner_at(part, states[i])
        ->text->push_back(static_cast<char>(mrc_value(values, i, part->value)));
  }
}
void merge_owners(const mrc_part *part, State *const *into, State *const *from, i64 n,
                  mrc_arena *) {
  for (i64 i = 0; i < n; ++i) {
    *owner_at(part, into[i])->text += *owner_at(part, from[i])->text;
    owner_at(part, into[i])->own += owner_at(part, from[i])->own;
  }
}
void save_owner(const mrc_part *part, const State *state, mrc_out *out) {
  const Owner *own = MRC_CONST_STATE(Owner, part, state);
  out->write(out, own->text->data(), own->text->size());
}
void load_owner(const mrc_part *part, State *state, mrc_text saved, mrc_arena *) {
  owner_at(part, state)->text->assign(saved.data, saved.size);
}
const Reducer kOwner = [] {
  Reducer reducer{};
  reducer.size = sizeof reducer;
  reducer.state_bytes = sizeof(Owner);
  reducer.add = add_owner;
  reducer.merge = merge_owners;
  reducer.save = save_owner;
  reducer.load = load_owner;
  reducer.init = init_owner;
  reducer.destroy = destroy_owner;
  return reducer;
}();
void finish_owner(const Column &, const State *own, Notation, std::string *out) {
  *out += "<" + *reinterpret_cast<const Owner *>(own)->text + ">";
}
Column owner_column(i64 part) {
  return {"owner", finish_owner,
          [](const Column &, const State *own) -> u64 {
            return reinterpret_cast<const Owner *>(own)->text->size();
          },
          part, true};
}

struct Cell {
  std::array<u64, 8> words{};
  State *state() { return reinterpret_cast<State *>(words.data()); }
};
std::string shown_layout(const StateLayout &layout, Cell *cell) {
  std::string text;
  for (i64 i = 0; i < layout.columns(); ++i) layout.finish(i, cell->state(), Notation::text, &text);
  return text;
}
void add_value(const StateLayout &layout, Cell *cell, char value, Arena *arena) {
  State *state = cell->state();
  const u64 word = static_cast<u8>(value);
  layout.add(&state, {&word, 1}, 1, arena);
}
void merge_cells(const StateLayout &layout, Cell *into, Cell *from, Arena *arena) {
  State *a = into->state(), *b = from->state();
  layout.merge(&a, &b, 1, arena);
}

TEST(StateLayout, MakesStatesOnceWhereInitDoes) {
  StateLayout layout({{{&kCount}, {&kFromNine}}, {two_words_column(1)}, {}});
  EXPECT_EQ(layout.state_bytes(), 8 + 8 + 16);
  EXPECT_TRUE(layout.is_flat());
  Cell a, b, none;
  EXPECT_EQ(shown_layout(layout, &none), "9/0") << "a state that nothing was added to";
  EXPECT_EQ(none.words, Cell().words) << "is only looked at";
  for (int i = 0; i < 2; ++i) add_value(layout, &a, 'x', nullptr);
  EXPECT_EQ(shown_layout(layout, &a), "13/6");
  merge_cells(layout, &b, &a, nullptr);
  EXPECT_EQ(shown_layout(layout, &b), "22/6");
  merge_cells(layout, &a, &none, nullptr);
  EXPECT_EQ(shown_layout(layout, &a), "22/6");
  EXPECT_EQ(layout.rank(0, a.state()), 6u);
}

class OwningStates : public testing::Test {
 protected:
  ~OwningStates() override { EXPECT_EQ(owners, 0) << "neither more nor fewer are destroyed"; }
  // Between others, so that offsets matter.
  StateLayout layout_{Aggregation{
      {{&kCount}, {&kOwner}, {&kFromNine}}, {owner_column(1), two_words_column(2)}, {}}};
};

TEST_F(OwningStates, AreDestroyedOnceWithTheirArena) {
  EXPECT_FALSE(layout_.is_flat());
  Arena arena;
  std::array<Cell, 3> cells{};
  for (Cell &cell : cells) add_value(layout_, &cell, 'a', &arena);
  add_value(layout_, &cells[0], 'b', &arena);
  EXPECT_EQ(owners, 3);
  EXPECT_EQ(shown_layout(layout_, &cells[0]), "<ab>13/6");
  arena.clear();
  EXPECT_EQ(owners, 0);
  Cell next;
  add_value(layout_, &next, 'c', &arena);
  EXPECT_EQ(owners, 1);
}

TEST_F(OwningStates, MoveWithTheirRow) {
  Arena arena;
  Cell cell;
  add_value(layout_, &cell, 'a', &arena);
  Cell moved = cell;  // as containers do
  cell = {};
  add_value(layout_, &moved, 'b', &arena);
  EXPECT_EQ(shown_layout(layout_, &moved), "<ab>13/6");
}

TEST_F(OwningStates, MergeOfDifferentArenas) {
  Arena into_arena;
  Cell into, none;
  {
    Arena from_arena;
    Cell from;
    add_value(layout_, &from, 'a', &from_arena);
    merge_cells(layout_, &into, &from, &into_arena);
    merge_cells(layout_, &into, &none, &into_arena);
    EXPECT_EQ(owners, 2);
  }
  EXPECT_EQ(owners, 1);
  EXPECT_EQ(shown_layout(layout_, &into), "<a>29/3") << "two that init has made, and one";
}

TEST_F(OwningStates, OfWhichAnEmptyOneIsShownAreDestroyedAtOnce) {
  Cell none;
  EXPECT_EQ(shown_layout(layout_, &none), "<>9/0");
  EXPECT_EQ(layout_.rank(0, none.state()), 0u);
  EXPECT_EQ(owners, 0);
}

TEST_F(OwningStates, AreSavedAndLoadedAlsoWithNothingToSave) {
  for (const std::string text : {"", "x", "xyz"}) {
    for (const bool own : {false, true}) {
      Arena arena, loaded_arena;
      Cell cell;
      for (char c : text) add_value(layout_, &cell, c, &arena);
      std::string saved;
      layout_.save(cell.state(), &saved);
      Cell loaded = cell;  // the bytes of the state come along
      layout_.load(loaded.state(), saved, &loaded_arena);
      if (own && !text.empty()) arena.clear();
      EXPECT_EQ(shown_layout(layout_, &loaded).substr(0, text.size() + 2), "<" + text + ">");
      EXPECT_EQ(owners, text.empty() ? 0 : own ? 1 : 2);
    }
  }
}

// The bytes of what owns something are never copied, so that nothing is owned twice.
TEST(SavedStates, OfBoxesAreLoadedAlsoIfSaveWritesNothing) {
  static i64 destroyed, loads;
  destroyed = loads = 0;
  Reducer silent = kTwoWords;
  silent.save = [](const mrc_part *, const State *, mrc_out *) {};
  silent.load = [](const mrc_part *, State *, mrc_text saved, mrc_arena *) {
    EXPECT_EQ(saved.size, 0u);
    ++loads;
  };
  silent.destroy = [](const mrc_part *, State *) { ++destroyed; };
  {
    StateLayout layout({{{&silent}}, {two_words_column(0)}, {}});
    Arena arena, other;
    Cell cell, loaded;
    add_value(layout, &cell, 'x', &arena);
    std::string saved;
    layout.save(cell.state(), &saved);
    loaded = cell;
    layout.load(loaded.state(), saved, &other);
    EXPECT_EQ(shown_layout(layout, &loaded), "0/0");
  }
  EXPECT_EQ(loads, 1);
  EXPECT_EQ(destroyed, 2);
}

// A state that init has not made yet is not shown to save.
TEST(SavedStates, MayBeThoseThatNothingWasAddedTo) {
  Reducer strict = kFromNine;
  strict.save = [](const mrc_part *part, const State *state, mrc_out *out) {
    ASSERT_GE(words(state + part->offset)[0], 9u);
    out->write(out, state + part->offset, 16);
  };
  strict.load = [](const mrc_part *part, State *state, mrc_text saved, mrc_arena *) {
    ASSERT_EQ(saved.size, 16u);
    std::memcpy(state + part->offset, saved.data, 16);
  };
  StateLayout layout({{{&strict}}, {two_words_column(0)}, {}});
  Cell none, cell;
  std::string nothing, saved;
  layout.save(none.state(), &nothing);
  layout.load(none.state(), nothing, nullptr);
  EXPECT_EQ(shown_layout(layout, &none), "9/0");
  add_value(layout, &cell, 'x', nullptr);
  layout.save(cell.state(), &saved);
  Cell loaded = cell;
  layout.load(loaded.state(), saved, nullptr);
  EXPECT_EQ(shown_layout(layout, &loaded), "11/3");
}

TEST(StateLayout, MayBeEmpty) {
  StateLayout layout({});
  EXPECT_EQ(layout.state_bytes(), 0);
  EXPECT_EQ(layout.columns(), 0);
}

}  // namespace
}  // namespace mrc
