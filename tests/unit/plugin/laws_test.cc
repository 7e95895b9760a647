// One reducer for each law, that breaks it; and sound ones, which break none.
#include "plugin/laws.h"

#include "plugin/call.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

// What is not set is zero: that is what the interface promises.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace mrc {
namespace {

using std::string;

constexpr mrc_type kInteger[] = {MRC_INTEGER}, kReal[] = {MRC_REAL}, kText[] = {MRC_TEXT};

using Word = int64_t;
#define STATE(state) MRC_STATE(Word, part, state)
#define ADD_HEADER \
  const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n, mrc_arena *arena
#define MERGE_HEADER \
  const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n, mrc_arena *arena
#define EACH   \
  (void)arena; \
  for (int64_t i = 0; i < n; ++i)

// A sum, modulo 2^64.
void add_sum(ADD_HEADER) {
  EACH *STATE(states[i]) =
      static_cast<Word>(static_cast<u64>(*STATE(states[i])) + mrc_value(values, i, part->value));
}
void merge_sum(MERGE_HEADER) {
  EACH *STATE(into[i]) =
      static_cast<Word>(static_cast<u64>(*STATE(into[i])) + static_cast<u64>(*STATE(from[i])));
}
Word show(const mrc_part *part, const mrc_state *state) {
  return *MRC_CONST_STATE(Word, part, state);
}
constexpr mrc_column kShow[] = {{.name = "sum", .integer = show}};

mrc_reducer sum() {
  return {.size = sizeof(mrc_reducer),
          .name = "r",
          .state_bytes = 16,
          .add = add_sum,
          .merge = merge_sum,
          .columns = MRC_ARRAY(kShow),
          .values = kInteger,
          .value_count = 1};
}

// Texts joined in the order of the input, in memory of the arena: grows.
struct Joined {
  char *data;
  Word size;
};
void append(Joined *to, mrc_text text, mrc_arena *arena) {
  auto *grown =
      static_cast<char *>(arena->allocate(arena, static_cast<size_t>(to->size) + text.size + 1));
  if (to->size > 0) memcpy(grown, to->data, static_cast<size_t>(to->size));
  if (text.size > 0) memcpy(grown + to->size, text.data, text.size);
  *to = {grown, to->size + static_cast<Word>(text.size)};
}
mrc_text text_of(const Joined &joined) { return {joined.data, static_cast<size_t>(joined.size)}; }
void add_text(ADD_HEADER) {
  for (int64_t i = 0; i < n; ++i) {
    append(MRC_STATE(Joined, part, states[i]), mrc_word_text(mrc_value(values, i, part->value)),
           arena);
  }
}
void merge_text(MERGE_HEADER) {
  for (int64_t i = 0; i < n; ++i) {
    append(MRC_STATE(Joined, part, into[i]), text_of(*MRC_STATE(Joined, part, from[i])), arena);
  }
}
void save_text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const mrc_text text = text_of(*MRC_CONST_STATE(Joined, part, state));
  out->write(out, text.data, text.size);
}
void load_text(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
  append(MRC_STATE(Joined, part, state), saved, arena);
}
constexpr mrc_column kShowText[] = {{.name = "joined", .text = save_text}};
mrc_reducer join() {
  return {.size = sizeof(mrc_reducer),
          .flags = MRC_ORDERED,
          .name = "r",
          .state_bytes = sizeof(Joined),
          .add = add_text,
          .merge = merge_text,
          .save = save_text,
          .load = load_text,
          .columns = MRC_ARRAY(kShowText),
          .values = kText,
          .value_count = 1};
}

LawReport report_of(const mrc_reducer &reducer) {
  const string lines[] = {"7 0.5 x", "a longer line"};
  return check_reducer_laws("x.so", reducer, nullptr, lines, 1);
}
// The laws that are broken, a line each.
string broken(const mrc_reducer &reducer) {
  string all;
  for (const Violation &violation : report_of(reducer).violations) all += violation.law + "\n";
  return all;
}
testing::AssertionResult breaks(const mrc_reducer &reducer, const string &law) {
  const string found = broken(reducer);
  if (("\n" + found).find("\n" + law + "\n") != string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "instead of \"" << law << "\" found:\n" << found;
}

TEST(ReducerLaws, HoldForSoundReducers) {
  EXPECT_EQ(broken(sum()), "");
  EXPECT_EQ(broken(join()), "");
  EXPECT_GT(report_of(sum()).trials, 100);
}

TEST(ReducerLaws, GiveTheSmallestCounterExample) {
  mrc_reducer reducer = sum();
  reducer.merge = [](MERGE_HEADER) { EACH *STATE(into[i]) = *STATE(from[i]); };
  const LawReport report = report_of(reducer);
  ASSERT_FALSE(report.violations.empty());
  EXPECT_EQ(report.violations[0].law, "a new state is no identity of merge");
  EXPECT_EQ(report.violations[0].example, "  a: add(1)\n  merge(a, new): 0\n  a: 1\n");
}

TEST(ReducerLaws, CatchWhatIsNoIdentity) {
  mrc_reducer reducer = sum();
  reducer.init = [](const mrc_part *part, mrc_state *state) { *STATE(state) = 1; };
  EXPECT_TRUE(breaks(reducer, "a new state is no identity of merge"));
}

TEST(ReducerLaws, CatchMergesThatAreNotAssociative) {
  mrc_reducer reducer = sum();
  reducer.merge = [](MERGE_HEADER) {
    EACH *STATE(into[i]) =
        static_cast<Word>(static_cast<u64>(*STATE(into[i])) - static_cast<u64>(*STATE(from[i])));
  };
  EXPECT_TRUE(breaks(reducer, "merge is not associative"));
}

// Sums of doubles: right but for the last digits, which depend on the number of threads.
TEST(ReducerLaws, CatchSumsOfReals) {
  mrc_reducer reducer = sum();
  reducer.values = kReal;
  reducer.add = [](ADD_HEADER) {
    EACH *MRC_STATE(double, part, states[i]) += mrc_word_real(mrc_value(values, i, part -> value));
  };
  reducer.merge = [](MERGE_HEADER) {
    EACH *MRC_STATE(double, part, into[i]) += *MRC_STATE(double, part, from[i]);
  };
  const mrc_column column = {.name = "sum",
                             .real = [](const mrc_part *part, const mrc_state *state) {
                               return *MRC_CONST_STATE(double, part, state);
                             }};
  reducer.columns = {&column, 1, sizeof column};
  EXPECT_TRUE(breaks(reducer, "merge is not associative"));
}

TEST(ReducerLaws, CatchWhatIsNotCommutative) {
  mrc_reducer reducer = join();
  reducer.flags = 0;
  EXPECT_TRUE(breaks(reducer, "merge is not commutative"));
  EXPECT_TRUE(breaks(reducer, "add is not commutative"));
}

TEST(ReducerLaws, CatchAddsThatDependOnBatches) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    add_sum(part, states, values, n, arena);
    *STATE(states[0]) += 1;
  };
  EXPECT_TRUE(breaks(reducer, "add depends on the size of batches"));
}

TEST(ReducerLaws, CatchAddsThatBelieveInOneKey) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    (void)arena;
    for (int64_t i = 0; i < n; ++i) {
      *STATE(states[0]) = static_cast<Word>(static_cast<u64>(*STATE(states[0])) +
                                            mrc_value(values, i, part->value));
    }
  };
  EXPECT_TRUE(breaks(reducer, "add mixes up the states of a batch"));
}

TEST(ReducerLaws, CatchMergesThatCountOtherwiseThanAdd) {
  mrc_reducer reducer = sum();
  reducer.merge = [](MERGE_HEADER) { EACH *STATE(into[i]) |= *STATE(from[i]); };
  EXPECT_TRUE(breaks(reducer, "merge and add disagree"));
}

TEST(ReducerLaws, CatchWhatIsNotSaved) {
  mrc_reducer reducer = join();
  reducer.save = [](const mrc_part *part, const mrc_state *state, mrc_out *out) {
    const mrc_text text = text_of(*MRC_CONST_STATE(Joined, part, state));
    out->write(out, text.data, std::min<size_t>(text.size, 3));
  };
  EXPECT_TRUE(breaks(reducer, "save and load lose something"));
}

TEST(ReducerLaws, CatchStatesThatDoNotGoOn) {
  mrc_reducer reducer = sum();
  reducer.save = [](const mrc_part *part, const mrc_state *state, mrc_out *out) {
    out->write(out, STATE(const_cast<mrc_state *>(state)), sizeof(Word));
  };
  reducer.load = [](const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *) {
    memcpy(STATE(state), saved.data, sizeof(Word));
    STATE(state)[1] = 1;
  };
  reducer.add = [](ADD_HEADER) {
    if (n > 0 && STATE(states[0])[1] != 0) return;
    add_sum(part, states, values, n, arena);
  };
  EXPECT_TRUE(breaks(reducer, "a loaded state does not go on"));
}

TEST(ReducerLaws, CatchStatesThatPointIntoThemselves) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    add_sum(part, states, values, n, arena);
    for (int64_t i = 0; i < n; ++i) STATE(states[i])[1] = reinterpret_cast<Word>(STATE(states[i]));
  };
  static constexpr mrc_column kPointer[] = {
      {.name = "sum", .integer = [](const mrc_part *part, const mrc_state *state) -> Word {
         const Word *own = MRC_CONST_STATE(Word, part, state);
         return own[1] == 0 || own[1] == reinterpret_cast<Word>(own) ? own[0] : -1;
       }}};
  reducer.columns = MRC_ARRAY(kPointer);
  EXPECT_TRUE(breaks(reducer, "a state cannot be moved, and there is no destroy"));
}

TEST(ReducerLaws, CatchWritesBesideTheState) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    add_sum(part, states, values, n, arena);
    for (int64_t i = 0; i < n; ++i) STATE(states[i])[2] = 1;
  };
  EXPECT_TRUE(breaks(reducer, "add wrote outside of the state"));
  reducer = sum();
  reducer.merge = [](MERGE_HEADER) {
    merge_sum(part, into, from, n, arena);
    EACH STATE(into[i])[-1] = 1;
  };
  EXPECT_TRUE(breaks(reducer, "merge wrote outside of the state"));
  reducer = sum();  // whose author forgets that there are other states before
  reducer.init = [](const mrc_part *, mrc_state *state) { memset(state, 0, 16); };
  EXPECT_TRUE(breaks(reducer, "init wrote outside of the state"));
}

TEST(ReducerLaws, CatchWritesBesideThePiecesOfAnArena) {
  mrc_reducer reducer = join();
  reducer.load = [](const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
    append(MRC_STATE(Joined, part, state), saved, arena);
    MRC_STATE(Joined, part, state)->data[saved.size + 1] = 0;
  };
  EXPECT_TRUE(breaks(reducer, "load wrote outside of what the arena gave"));
}

TEST(ReducerLaws, CatchColumnsThatChangeStates) {
  mrc_reducer reducer = sum();
  static constexpr mrc_column kChange[] = {
      {.name = "sum", .integer = [](const mrc_part *part, const mrc_state *state) {
         return (*STATE(const_cast<mrc_state *>(state)))++;
       }}};
  reducer.columns = MRC_ARRAY(kChange);
  EXPECT_TRUE(breaks(reducer, "sum changed the state that it was to show"));
}

TEST(ReducerLaws, CatchWhatIsDifferentEachTime) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    static Word times = 0;
    add_sum(part, states, values, n, arena);
    if (n > 0) *STATE(states[0]) ^= times++;
  };
  EXPECT_TRUE(breaks(reducer, "the same input does not give the same result"));
}

TEST(ReducerLaws, CatchThreadsThatShareSomething) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    static volatile Word total;  // a race, on purpose
    total = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int spin = 0; spin < 300; ++spin) total = total + 1;
      total = total - 300;
    }
    add_sum(part, states, values, n, arena);
    if (n > 0) *STATE(states[0]) += total;
  };
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer finds it first";
#endif
  EXPECT_TRUE(breaks(reducer, "threads disturb each other"));
}

TEST(ReducerLaws, PassOnWhatFailsAndWhatIsThrown) {
  mrc_reducer reducer = sum();
  reducer.merge = [](MERGE_HEADER) {
    (void)part, (void)into, (void)from, (void)n, (void)arena;
    throw 1;
  };
  EXPECT_TRUE(breaks(reducer, "plugin x.so: reducer r: merge: threw int"));
}

TEST(ReducerLaws, SayThatInitIsNeedless) {
  mrc_reducer reducer = sum();
  reducer.init = [](const mrc_part *part, mrc_state *state) { *STATE(state) = 0; };
  const LawReport report = report_of(reducer);
  EXPECT_TRUE(report.violations.empty());
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], "init makes zero bytes, which states are already: leave it out");
}

// The number of values, and the largest.
void reduce_list(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) {
  Word largest = INT64_MIN;
  for (int64_t i = 0; i < list.count; ++i) {
    largest = std::max(largest, static_cast<Word>(mrc_value(list.values, i, part->value)));
  }
  mrc_write(out, std::to_string(largest).c_str());
}
mrc_reducer list_reducer() {
  return {.size = sizeof(mrc_reducer),
          .name = "r",
          .values = kInteger,
          .value_count = 1,
          .reduce = reduce_list};
}

TEST(ReducerLaws, HoldForReducersOfLists) {
  mrc_reducer reducer = list_reducer();
  EXPECT_EQ(broken(reducer), "");
  reducer.combine = [](const mrc_part *part, uint64_t *words, int64_t width, int64_t n) {
    for (int64_t i = 1; i < n; ++i) {
      uint64_t &first = words[part->value], next = words[i * width + part->value];
      if (static_cast<Word>(next) > static_cast<Word>(first)) first = next;
    }
    return std::min<int64_t>(n, 1);
  };
  EXPECT_EQ(broken(reducer), "");
}

TEST(ReducerLaws, CatchCombinersThatChangeTheResult) {
  mrc_reducer reducer = list_reducer();
  reducer.combine = [](const mrc_part *, uint64_t *, int64_t, int64_t n) {
    return std::min<int64_t>(n, 1);
  };
  EXPECT_TRUE(breaks(reducer, "combine changes the result"));
  reducer.combine = [](const mrc_part *, uint64_t *, int64_t, int64_t n) { return n + 1; };
  EXPECT_TRUE(breaks(reducer, "combine returned more values than it was given, or less than none"));
}

// These end the process, with a line that says why.
void expect_crash(const mrc_reducer &reducer, const string &line) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        report_crashes();
        (void)report_of(reducer);
      },
      testing::KilledBySignal(SIGSEGV), line);
}

TEST(ReducerLawsDeathTest, CatchPointersToBatches) {
  mrc_reducer reducer = sum();
  static const uint64_t *kept = nullptr;
  reducer.add = [](ADD_HEADER) {
    if (kept != nullptr) *STATE(states[0]) += static_cast<Word>(*kept);
    kept = values.words;
    add_sum(part, states, values, n, arena);
  };
  expect_crash(
      reducer,
      "in add of reducer r: it touched what an earlier call was given: a pointer was kept");
}

TEST(ReducerLawsDeathTest, CatchTextsThatAreNotCopied) {
  mrc_reducer reducer = join();
  reducer.add = [](ADD_HEADER) {
    EACH {
      const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
      if (text.size > 0) *MRC_STATE(Joined, part, states[i]) = {const_cast<char *>(text.data), 1};
    }
  };
  expect_crash(reducer, "it touched what an earlier call was given: a pointer was kept");
}

TEST(ReducerLawsDeathTest, CatchWritesFarBesideTheState) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    EACH STATE(states[i])[100] = 1;
    (void)values;
  };
  expect_crash(reducer, "in add of reducer r: it touched memory beside a state");
}

TEST(ReducerLawsDeathTest, CatchStatesWithoutSaveThatOwnMemory) {
  mrc_reducer reducer = join();
  reducer.save = nullptr;
  reducer.load = nullptr;
  expect_crash(reducer, "it touched memory of an arena that is gone");
}

TEST(ReducerLawsDeathTest, CatchLoadsThatKeepWhatWasSaved) {
  mrc_reducer reducer = join();
  reducer.load = [](const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *) {
    *MRC_STATE(Joined, part, state) = {const_cast<char *>(saved.data),
                                       static_cast<Word>(saved.size)};
  };
  expect_crash(reducer, "it touched what an earlier call was given: a pointer was kept");
}

}  // namespace
}  // namespace mrc
