#include "combine/row_list.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace mrc {
namespace {

// A list of the rows that are added. Two words that order a row follow its values.
class RowListsOfSome : public testing::Test {
 protected:
  explicit RowListsOfSome(std::vector<mrc_type> types = {MRC_TEXT, MRC_INTEGER, MRC_REAL}) {
    spec_.reducer = &reducer_;
    spec_.types = std::move(types);
  }

  void add(u64 order, std::vector<u64> words) {
    const Part part(&kRowList, 0, std::ssize(words), &spec_);
    words.insert(words.end(), {order, 0});
    State *state = reinterpret_cast<State *>(state_.data());
    kRowList.add(&part, &state, {words.data(), std::ssize(words)}, 1, &memory_);
  }
  SortedRows rows() const { return rows_of(spec_, reinterpret_cast<const State *>(state_.data())); }

  mrc_reducer reducer_{};
  RowListSpec spec_;
  std::array<u64, 8> state_{};
  Arena arena_;
  ReducerArena memory_{&arena_};
};

constexpr u64 kNoInteger = static_cast<u64>(MRC_NO_INTEGER);
const u64 kNoReal = mrc_real_word(std::numeric_limits<double>::quiet_NaN());

TEST_F(RowListsOfSome, AreInTheOrderOfTheInputWithTextsOfTheirOwn) {
  std::string word = "second";
  const mrc_text text{word.data(), word.size()};
  add(2, {mrc_text_word(&text), 20, kNoReal});
  word = "first!";
  add(1, {mrc_text_word(&text), 10, kNoReal});
  word = "gone..";
  const SortedRows found = rows();
  ASSERT_EQ(found.count, 2);
  const mrc_text first = mrc_word_text(found.words[0]), second = mrc_word_text(found.words[3]);
  EXPECT_EQ(Bytes(first.data, first.size), "first!");
  EXPECT_EQ(Bytes(second.data, second.size), "second");
  EXPECT_EQ(found.words[1], 10u);
  EXPECT_EQ(found.words[4], 20u);
}

TEST_F(RowListsOfSome, LeaveOutRowsOfWhichAllIsMissing) {
  add(1, {0, kNoInteger, kNoReal});
  EXPECT_EQ(rows().count, 0);
  const mrc_text empty{"", 0};
  add(2, {mrc_text_word(&empty), kNoInteger, kNoReal});
  add(3, {0, 0, kNoReal});
  add(4, {0, kNoInteger, mrc_real_word(0)});
  add(5, {0, kNoInteger, kNoReal});
  EXPECT_EQ(rows().count, 3);
}

class RowListsOfNothing : public RowListsOfSome {
 protected:
  RowListsOfNothing() : RowListsOfSome({}) {}
};

TEST_F(RowListsOfNothing, KeepEveryRow) {
  add(1, {});
  add(2, {});
  EXPECT_EQ(rows().count, 2);
}

}  // namespace
}  // namespace mrc
