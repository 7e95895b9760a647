// One reducer for each law, that breaks it; and sound ones, which break none.
#include "unit/check/sound_reducers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace mrc {
namespace {

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
    EACH {
      const Word a = *STATE(into[i]), b = *STATE(from[i]);
      *STATE(into[i]) = a == 0 ? b : b == 0 ? a : a / 2 + b / 2;
    }
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
  EXPECT_EQ(broken(reducer), "merge is not commutative\n") << "and so add is not either";
}

// One fault is one report, however many laws it breaks.
TEST(ReducerLaws, AreReportedOnceForEachCause) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    add_sum(part, states, values, n, arena);
    static_cast<void>(__builtin_add_overflow(*STATE(states[0]), 1, STATE(states[0])));
  };
  EXPECT_EQ(broken(reducer), "add depends on the size of batches\n");
  reducer = sum();
  reducer.merge = [](MERGE_HEADER) { EACH *STATE(into[i]) = *STATE(from[i]); };
  EXPECT_EQ(broken(reducer), "a new state is no identity of merge\n");
  reducer.save = [](const mrc_part *, const mrc_state *, mrc_out *out) { mrc_write(out, "?"); };
  reducer.load = [](const mrc_part *, mrc_state *, mrc_text, mrc_arena *) {};
  EXPECT_EQ(broken(reducer), "a new state is no identity of merge\nsave and load lose something\n");
}

// Values are kept and folded by add: nothing else is called.
TEST(ReducerLaws, AskOnlyForAddIfValuesAreOrdered) {
  mrc_reducer reducer = sum();
  reducer.merge = [](MERGE_HEADER) { (void)part, (void)into, (void)from, (void)n, (void)arena; };
  EXPECT_NE(broken(reducer), "");
  reducer.flags = MRC_ORDERED;
  EXPECT_EQ(broken(reducer), "");
}

TEST(ReducerLaws, CatchAddsThatDependOnBatches) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    add_sum(part, states, values, n, arena);
    static_cast<void>(__builtin_add_overflow(*STATE(states[0]), 1, STATE(states[0])));
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
  reducer.flags = 0;
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
  reducer = sum();  // init forgets that there are other states before
  reducer.init = [](const mrc_part *, mrc_state *state) {
    memset(static_cast<void *>(state), 0, 16);
  };
  EXPECT_TRUE(breaks(reducer, "init wrote outside of the state"));
}

TEST(ReducerLaws, CatchWritesBesideThePiecesOfAnArena) {
  mrc_reducer reducer = join();
  reducer.flags = 0;
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

// As with a buffer that all share; long calls take so long that they surely overlap.
TEST(ReducerLaws, CatchThreadsThatShareSomething) {
  mrc_reducer reducer = sum();
  reducer.add = [](ADD_HEADER) {
    static std::atomic<Word> inside = 0;
    const Word others = inside++;
    if (n > 100) std::this_thread::sleep_for(std::chrono::microseconds(200));
    add_sum(part, states, values, n, arena);
    if (n > 0) *STATE(states[0]) ^= others;
    inside--;
  };
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

}  // namespace
}  // namespace mrc
