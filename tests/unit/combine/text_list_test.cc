// What lists of values do besides what the tests of all aggregates show: their order at moved
// positions, in memory and on disk.
#include "unit/combine/aggregate_run.h"

#include <algorithm>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using Records = std::vector<TestRecord>;

class TextLists : public testing::Test {
 protected:
  static Records shuffled(Records records, Random *random) {
    std::shuffle(records.begin(), records.end(), *random);
    return records;
  }

  ValueRuns runs_{"/tmp", 0};
  const AggregateRun in_memory_{{"list:f"}};
  const AggregateRun spilling_{{"list:f"}, {}, &runs_};
};

TEST_F(TextLists, ComeAfterRecordsThatMoveInFrontOfThem) {
  for (const bool on_disk : {false, true}) {
    AggregateRun::Folded list = spilling_.folded({{"a", 10}, {"b", 20}, {"c", 30}});
    if (on_disk) {
      for (u64 i = 0; i < 100; ++i) spilling_.add({{"d", 31 + i}}, &list);
      spilling_.layout().bound(list.state());
    }
    spilling_.layout().shift(list.state(), 1000);
    spilling_.merge(&list, spilling_.folded({{"x", 40}, {"y", 1015}, {"z", 5000}}));
    const std::string shown = spilling_.shown(0, list);
    EXPECT_TRUE(shown.starts_with("x,a,y,b,c,")) << shown.substr(0, 40);
    EXPECT_TRUE(shown.ends_with(",z"));
    EXPECT_EQ(spilling_.rank(0, list), on_disk ? 106u : 6u);
  }
}

TEST_F(TextLists, OfOneValueMoveToo) {
  for (const std::string value : {"short", "longer than fifteen letters"}) {
    AggregateRun::Folded list = in_memory_.folded({{value, 10}});
    in_memory_.layout().shift(list.state(), 1000);
    in_memory_.add({{"x", 20}}, &list);
    EXPECT_EQ(in_memory_.shown(0, list), "x," + value);
  }
}

TEST_F(TextLists, OrderValuesOfOnePositionByTheirBytes) {
  Random random(first_seed());
  Records records;
  for (u64 i = 0; i < 300; ++i) records.push_back({std::to_string(random() % 50), i / 100});
  const std::string shown = in_memory_.shown(0, in_memory_.folded(records));
  for (int round = 0; round < 20; ++round) {
    AggregateRun::Folded list = spilling_.folded(shuffled(records, &random));
    if (round % 2 == 1) spilling_.layout().bound(list.state());
    EXPECT_EQ(spilling_.shown(0, list), shown);
  }
}

TEST_F(TextLists, HoldValuesOfAnySize) {
  Records records;
  std::string expected;
  for (u64 i = 0; i < 40; ++i) {
    records.push_back({std::string(i * i * i, static_cast<char>('a' + i % 26)), i});
    if (i > 1) expected += ',';
    expected += *records.back().value;
  }
  EXPECT_EQ(in_memory_.shown(0, in_memory_.folded(records)), expected);
  EXPECT_EQ(spilling_.shown(0, spilling_.reloaded(spilling_.folded(records))), expected);
}

}  // namespace
}  // namespace mrc
