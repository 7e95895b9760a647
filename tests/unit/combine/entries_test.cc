// Sessions with their first values, on records in any order. The tests pass seconds in place of
// the times of a field.
#include "unit/combine/aggregate_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using Records = std::vector<TestRecord>;

class Entries : public testing::Test {
 protected:
  static Records shuffled(Records records, Random *random) {
    std::shuffle(records.begin(), records.end(), *random);
    return records;
  }
  std::string shown(const Records &records, Notation notation = Notation::text) const {
    return run_.shown(0, run_.folded(records), notation);
  }

  const AggregateRun run_{{"entries(f:time, 10s, g)"}};
};

TEST_F(Entries, BeginAfterPausesAboveTheGap) {
  EXPECT_EQ(shown({{"0", 1, "/a"}, {"10", 2, "/b"}, {"20.5", 3, "/c"}, {"30.5", 4, "/d"}}),
            "/a,/c");
  EXPECT_EQ(shown({}), "");
  EXPECT_EQ(shown({}, Notation::json), "[]");
}

TEST_F(Entries, AreTheFirstValuesThatThereAre) {
  const Records records = {{"0", 1, {}},    {"5", 2, "-"}, {"6", 3, "/b"},
                           {"7", 4, "/c"},  {"50", 5, {}}, {"55", 6, ""},
                           {"90", 7, "/d"}, {{}, 8, "/e"}, {"none", 9, "/f"}};
  EXPECT_EQ(shown(records, Notation::json), R"(["/b",null,"/d"])");
  EXPECT_EQ(shown(records), "/b,,/d");
  EXPECT_EQ(run_.rank(0, run_.folded(records)), 3u);
}

TEST_F(Entries, OfOneTimeAreInTheOrderOfTheInput) {
  EXPECT_EQ(shown({{"7", 30, "/c"}, {"7", 20, "/b"}, {"7", 10, {}}, {"8", 1, "/a"}}), "/b");
}

TEST_F(Entries, JoinSessionsWhosePauseIsFilled) {
  const Records records = {{"0", 1, "/a"}, {"16", 2, "/b"}, {"8", 3, "/c"}};
  EXPECT_EQ(shown({records[0], records[1]}), "/a,/b");
  EXPECT_EQ(shown(records), "/a");
}

TEST_F(Entries, DoNotDependOnTheOrderOfRecordsOrStates) {
  Random random(first_seed());
  for (int round = 0; round < 50; ++round) {
    Records records;
    for (u64 i = 0; i < 400; ++i) {
      const std::string page = fmt::format("/{}", std::string(random() % 40, 'x'));
      records.push_back({std::to_string(random() % 9000), i, page});
      if (random() % 3 == 0) records.back().second.reset();
    }
    const std::string expected = shown(records);
    AggregateRun::Folded all = run_.empty();
    records = shuffled(records, &random);
    for (size_t i = 0; i < records.size(); i += 50) {
      const auto from = records.begin() + static_cast<i64>(i);
      const AggregateRun::Folded some = run_.folded({from, from + 50});
      run_.merge(&all, random() % 2 == 0 ? some : run_.reloaded(some));
    }
    EXPECT_EQ(run_.shown(0, all), expected);
    EXPECT_EQ(run_.shown(0, run_.reloaded(all)), expected);
  }
}

TEST_F(Entries, ComeAfterRecordsThatMoveInFrontOfThem) {
  AggregateRun::Folded state = run_.folded({{"0", 10, "/a"}, {"90", 20, "/b"}});
  run_.layout().shift(state.state(), 1000);
  run_.merge(&state, run_.folded({{"0", 50, "/earlier"}, {"90", 5000, "/later"}}));
  EXPECT_EQ(run_.shown(0, state), "/earlier,/b");
}

TEST_F(Entries, TakeMemoryForSessionsOnly) {
  Records records;
  for (u64 i = 0; i < 100'000; ++i) records.push_back({std::to_string(i), i, "/page"});
  const AggregateRun::Folded state = run_.folded(records);
  EXPECT_EQ(run_.shown(0, state), "/page");
  EXPECT_EQ(state.arena->used(), 0);
}

TEST_F(Entries, KeepEachGap) {
  const AggregateRun both({"entries(f:time, 1s, g)", "entries(f:time, 1h, g)"});
  const AggregateRun::Folded state = both.folded({{"0", 1, "/a"}, {"5", 2, "/b"}});
  EXPECT_EQ(both.shown(0, state), "/a,/b");
  EXPECT_EQ(both.shown(1, state), "/a");
}

}  // namespace
}  // namespace mrc
