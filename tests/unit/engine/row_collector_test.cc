#include "engine/inner/row_collector.h"

#include "combine/formula.h"

#include <gtest/gtest.h>

#include <deque>

namespace mrc {
namespace {

// Counts of groups whose keys are numbers, in a layout of one column.
class Collecting : public testing::TestWithParam<i64> {
 protected:
  std::shared_ptr<const Formula> having(const std::string &condition) const {
    const auto formula = parse_having(condition, kKey, layout_.aggregation(), {});
    EXPECT_TRUE(formula.is_ok()) << formula.status().message();
    return *formula;
  }
  // Hands over groups with the counts 0, 1, 2...
  void hand_over(GroupSink *to) {
    for (i64 i = 0; i < GetParam(); ++i) {
      counts_.push_back(static_cast<u64>(i));
      keys_.push_back(std::to_string(i));
      to->take(keys_.back(), reinterpret_cast<const State *>(&counts_.back()));
    }
    to->flush();
  }

  static inline const KeyShape kKey = {{{"key"}}};
  const StateLayout layout_{count_aggregation()};
  const Order order_;
  const RowLayout row_layout_{.state_bytes = sizeof(u64)};
  RowStore store_{row_layout_, KeyBytes::copied};
  ResultFaults faults_;
  std::deque<u64> counts_;
  std::deque<std::string> keys_;
};

TEST_P(Collecting, MakesARowOfEachGroupForWhichTheConditionHolds) {
  const auto condition = having("count % 2 == 1");
  RowCollector rows(layout_, kKey, order_, &store_, &faults_);
  HavingFilter filter(*condition, layout_, &rows, &faults_);
  hand_over(&filter);
  EXPECT_EQ(rows.groups(), GetParam() / 2);
  EXPECT_EQ(filter.dropped(), GetParam() - GetParam() / 2);
  EXPECT_EQ(faults_.count(), 0);
  ASSERT_EQ(store_.rows().size(), GetParam() / 2);
  for (i64 i = 0; i < GetParam() / 2; ++i) {
    EXPECT_EQ(row_layout_.key(store_.rows()[i]), std::to_string(2 * i + 1));
  }
}

TEST_P(Collecting, CountsGroupsWithoutAStore) {
  RowCollector rows(layout_, kKey, order_, nullptr, &faults_);
  hand_over(&rows);
  EXPECT_EQ(rows.groups(), GetParam());
}

TEST_P(Collecting, NamesTheSmallestKeyWithoutAResult) {
  const auto condition = having("1 / (count % 100) > 0");
  RowCollector rows(layout_, kKey, order_, &store_);
  HavingFilter filter(*condition, layout_, &rows, &faults_);
  hand_over(&filter);
  EXPECT_EQ(faults_.count(), (GetParam() + 99) / 100);
  if (GetParam() > 0) {
    EXPECT_EQ(faults_.describe_first(kKey), "0: 1 / (count % 100) has no result: the divisor: 0");
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, Collecting, testing::Values(0, 1, 64, 511, 512, 513, 1024, 1300));

}  // namespace
}  // namespace mrc
