#include "reduce/run_merger.h"

#include "unit/reduce/spilled_runs.h"

#include <algorithm>

namespace mrc {
namespace {

class MergingRuns : public SpilledRuns {
 protected:
  std::unique_ptr<OverflowBuffer> merge(RunMerger *merger) {
    auto to = std::make_unique<OverflowBuffer>(overflow_spec());
    EXPECT_TRUE(merger->merge(runs_, to.get()).is_ok());
    EXPECT_EQ(to->records(), 0);
    return to;
  }
  std::unique_ptr<Compactor> folder(i64 most_bytes) const {
    return std::make_unique<Compactor>(layout_, overflow_spec().shape, KeyBytes::copied,
                                       most_bytes);
  }
  std::vector<u64> hashes(const OverflowBuffer &run, i64 partition) const {
    std::vector<u64> all;
    Pages block;
    EXPECT_TRUE(run.each(partition, &block,
                         [&](const std::byte *at, const std::byte *end) {
                           for (; at < end; at = next_record(at)) all.push_back(load<u64>(at));
                           return true;
                         })
                    .is_ok());
    return all;
  }

  Buffers runs_;
};

TEST_F(MergingRuns, FoldsTheRecordsOfAKey) {
  for (i64 i = 0; i < 4; ++i) runs_.push_back(run(100 * i, 5000));
  auto to = merge(folder(INT64_MAX).get());
  EXPECT_EQ(to->spilled_records(), 5000);
  EXPECT_EQ(reduced(std::move(to)), expected_);
}

TEST_F(MergingRuns, LeavesKeysThatDoNotFitApart) {
  for (i64 i = 0; i < 20; ++i) runs_.push_back(run(3000 * i, 3000 * i + 12'000));
  auto to = merge(folder(1).get());
  EXPECT_GT(to->spilled_records(), 69'000);   // distinct
  EXPECT_LT(to->spilled_records(), 240'000);  // all
  EXPECT_EQ(reduced(std::move(to)), expected_);
}

TEST_F(MergingRuns, SortsWithoutFolding) {
  for (i64 i = 0; i < 4; ++i) runs_.push_back(run(100 * i, 5000));
  RunSorter sorter(overflow_spec().shape, INT64_MAX);
  auto to = merge(&sorter);
  EXPECT_EQ(to->spilled_records(), 20'000 - 600);
  for (i64 partition = 0; partition < i64{1} << kBits; ++partition) {
    EXPECT_FALSE(std::ranges::is_sorted(hashes(*runs_[0], partition)));
    EXPECT_TRUE(std::ranges::is_sorted(hashes(*to, partition)));
  }
  EXPECT_EQ(reduced(std::move(to)), expected_);
}

TEST_F(MergingRuns, SortsAPartInLittleMemory) {
  for (i64 i = 0; i < 4; ++i) runs_.push_back(run(0, 5000));
  RunSorter sorter(overflow_spec().shape, 1);
  auto to = merge(&sorter);
  EXPECT_FALSE(std::ranges::is_sorted(hashes(*to, 0)));
  EXPECT_EQ(to->spilled_records(), 20'000);
  EXPECT_EQ(reduced(std::move(to)), expected_);
}

TEST_F(MergingRuns, PausesBetweenPartitions) {
  for (i64 i = 0; i < 4; ++i) runs_.push_back(run(100 * i, 5000));
  auto to = std::make_unique<OverflowBuffer>(overflow_spec());
  const auto merger = folder(INT64_MAX);
  i64 from = 2;
  ASSERT_TRUE(merger->merge(runs_, to.get(), &from, true).is_ok());
  EXPECT_EQ(from, 2);
  EXPECT_EQ(to->spilled_records(), 0);
  ASSERT_TRUE(merger->merge(runs_, to.get(), &from, false).is_ok());
  EXPECT_EQ(from, 4);
  EXPECT_EQ(to->partition_bytes(1), 0);
  EXPECT_GT(to->partition_bytes(2), 0);
}

TEST_F(MergingRuns, SaysThatItCannotWrite) {
  runs_.push_back(run(0, 5000));
  OverflowSpec spec = overflow_spec();
  spec.tmpdir = folder_.path("none");
  OverflowBuffer to(spec);
  EXPECT_FALSE(folder(INT64_MAX)->merge(runs_, &to).is_ok());
}

}  // namespace
}  // namespace mrc
