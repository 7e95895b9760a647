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

TEST(PlanSplits, KeepToThePartsThatAreRead) {
  Source source = file(0, 1000);
  source.parts = {{100, 350}, {350, 400}, {900, 1000}};
  const std::vector<Split> splits = plan_splits({source, file(0, 50)}, 100);
  size_t next = 0;
  for (const Source::Part &part : source.parts) {
    for (i64 at = part.begin; at < part.end; at = splits[next++].end) {
      ASSERT_EQ(splits[next].begin, at);
      ASSERT_LE(splits[next].end, part.end);
      ASSERT_EQ(splits[next].number, static_cast<i64>(next));
    }
  }
  EXPECT_EQ(splits[next].source, 1);
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

TEST(PlanSplits, GetSmallerTowardsTheEndOfEachStripe) {
  const std::vector<Source> sources = {file(0, 700000), file(0, 300000)};
  const std::vector<Split> splits = plan_splits(sources, 8000, {1, 0, 3});
  expect_covered(sources, splits);
  i64 at = 0;
  for (const Split &split : splits) {
    const i64 size = split.end - split.begin, end = at < 250000 ? 250000 : 1000000;
    const i64 length = end == 250000 ? 250000 : 750000;
    if (at >= end - length / 20) {
      EXPECT_LE(size, 1000) << at;
    } else if (split.end != 700000) {
      EXPECT_EQ(size, 8000) << at;
    }
    at += size;
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

// `count` splits of ten bytes.
std::vector<Split> tens(i64 count) {
  std::vector<Split> splits;
  for (i64 i = 0; i < count; ++i) splits.push_back({0, i * 10, i * 10 + 10});
  return splits;
}

TEST(DealStripes, InProportionToWeightsAndInOrder) {
  using Groups = std::vector<i64>;
  EXPECT_EQ(deal_stripes(tens(8), {1, 1}), (Groups{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(deal_stripes(tens(8), {3, 1}), (Groups{0, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(deal_stripes(tens(4), {0, 1, 0, 1, 0}), (Groups{1, 1, 3, 3}));
  EXPECT_EQ(deal_stripes(tens(2), {1, 1, 1, 1}), (Groups{0, 2}));
  EXPECT_EQ(deal_stripes({}, {1, 1}), Groups());
}

TEST(DealStripes, OfBytesNotOfSplits) {
  const std::vector<Split> splits = {{0, 0, 90}, {0, 90, 100}, {1, 0, 10}, {1, 10, 100}};
  EXPECT_EQ(deal_stripes(splits, {9, 11}), (std::vector<i64>{0, 1, 1, 1}));
}

TEST(DealStripes, WithoutOverflowForTheLargestInput) {
  const i64 half = INT64_MAX / 2;
  const std::vector<Split> splits = {{0, 0, half}, {1, 0, half}};
  EXPECT_EQ(deal_stripes(splits, {512, 512}), (std::vector<i64>{0, 1}));
}

// A split of ten bytes on each of these nodes.
std::vector<Split> on_nodes(const std::vector<i64> &nodes) {
  std::vector<Split> splits = tens(std::ssize(nodes));
  for (size_t i = 0; i < nodes.size(); ++i) splits[i].node = nodes[i];
  return splits;
}

TEST(DealByNode, ToTheGroupsBesideTheNode) {
  using Groups = std::vector<i64>;
  // Node 0 has groups 0 and 1, node 7 has group 2.
  const std::map<i64, Groups> near = {{0, {0, 1}}, {7, {2}}};
  EXPECT_EQ(deal_by_node(on_nodes({7, 0, 7, 0, 0, 0, 7}), near, {1, 1, 1}, Groups(7, 9)),
            (Groups{2, 0, 2, 0, 1, 1, 2}));
  EXPECT_EQ(deal_by_node(on_nodes({0, 0, 0, 0}), near, {3, 1, 1}, Groups(4, 9)),
            (Groups{0, 0, 0, 1}));
}

TEST(DealByNode, LeavesToOthersWhatNobodyIsNear) {
  using Groups = std::vector<i64>;
  const std::map<i64, Groups> near = {{0, {0}}, {1, {1}}};
  EXPECT_EQ(deal_by_node(on_nodes({-1, 0, 1, 5, -1}), near, {1, 1}, {0, 1, 0, 1, 1}),
            (Groups{0, 0, 1, 1, 1}));
  // The groups beside node 1 have no workers.
  EXPECT_EQ(deal_by_node(on_nodes({1, 0, 1}), near, {2, 0}, {0, 0, 0}), (Groups{0, 0, 0}));
}

TEST(Gather, PutsEachGroupsSplitsTogetherInOrder) {
  std::vector<Split> splits = tens(6);
  EXPECT_EQ(gather({2, 0, 2, 0, 3, 2}, 5, &splits), (std::vector<i64>{2, 2, 5, 6, 6}));
  std::vector<i64> begins;
  for (const Split &split : splits) begins.push_back(split.begin);
  EXPECT_EQ(begins, (std::vector<i64>{10, 30, 0, 20, 50, 40}));
}

}  // namespace
}  // namespace mrc
