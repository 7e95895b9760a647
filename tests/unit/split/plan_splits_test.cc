#include "split/split.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

Source file(i64 begin, i64 end) { return {.path = "f", .begin = begin, .end = end}; }

// Every byte of every file once, in order.
void expect_covered(const std::vector<Source> &sources, const std::vector<Split> &splits) {
  size_t next = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    for (i64 at = sources[i].begin; at < sources[i].end; ++next) {
      ASSERT_LT(next, splits.size());
      ASSERT_EQ(splits[next].source, static_cast<i64>(i));
      ASSERT_EQ(splits[next].begin, at);
      ASSERT_GT(splits[next].end, at);
      ASSERT_LE(splits[next].end, sources[i].end);
      at = splits[next].end;
    }
  }
  EXPECT_EQ(next, splits.size());
}

TEST(PlanSplits, CoverEveryByteOnceInOrder) {
  const std::vector<Source> sources = {file(0, 1000), file(0, 1), file(7, 5000), file(0, 64)};
  for (i64 size = 1; size < 7000; size = size * 3 / 2 + 1) {
    const std::vector<Split> splits = plan_splits(sources, size);
    expect_covered(sources, splits);
    for (const Split &split : splits) ASSERT_LE(split.end - split.begin, size);
  }
}

TEST(PlanSplits, AreNoneForStreamsAndNothing) {
  EXPECT_TRUE(plan_splits({}, 100).empty());
  const std::vector<Source> sources = {
      {.path = "fifo", .stream = true}, file(0, 250), file(9, 9), {.path = "-", .stream = true}};
  const std::vector<Split> splits = plan_splits(sources, 100);
  expect_covered(sources, splits);
  for (const Split &split : splits) EXPECT_EQ(split.source, 1);
}

TEST(PlanSplits, GetSmallerTowardsTheEnd) {
  const std::vector<Source> sources = {file(0, 1000000)};
  const std::vector<Split> splits = plan_splits(sources, 8000);
  expect_covered(sources, splits);
  EXPECT_EQ(splits.front().end, 8000);
  EXPECT_LE(splits.back().end - splits.back().begin, 1000);
  for (const Split &split : splits) {
    if (split.begin < 940000) {
      EXPECT_EQ(split.end - split.begin, 8000);
    } else if (split.begin > 960000) {
      EXPECT_LE(split.end - split.begin, 1000);
    }
  }
}

TEST(PlanSplits, AreAboutAMillionAtMost) {
  const std::vector<Source> sources = {file(0, i64{1} << 50)};
  for (i64 size : {i64{1}, i64{1} << 20}) {
    const std::vector<Split> splits = plan_splits(sources, size);
    EXPECT_LT(splits.size(), 1500000u);
    expect_covered(sources, splits);
  }
}

TEST(PlanSplits, AreOneForASmallFile) {
  EXPECT_EQ(plan_splits({file(0, 1)}, 1 << 21).size(), 1u);
  const std::vector<Split> splits = plan_splits({file(0, 5000)}, 1 << 21);
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_EQ(splits[0].end, 5000);
}

}  // namespace
}  // namespace mrc
