// Reducers that break rules in ways that end the process, with a line that says why.
#include "plugin/call.h"
#include "unit/check/sound_reducers.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace mrc {
namespace {

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
  reducer.flags = 0;  // else nothing is saved
  reducer.save = nullptr;
  reducer.load = nullptr;
  expect_crash(reducer, "it touched memory of an arena that is gone");
}

TEST(ReducerLawsDeathTest, CatchLoadsThatKeepWhatWasSaved) {
  mrc_reducer reducer = join();
  reducer.flags = 0;
  reducer.load = [](const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *) {
    *MRC_STATE(Joined, part, state) = {const_cast<char *>(saved.data),
                                       static_cast<Word>(saved.size)};
  };
  expect_crash(reducer, "it touched what an earlier call was given: a pointer was kept");
}

}  // namespace
}  // namespace mrc
