// Runs on disk come back in ranges that fit in memory, in order, for keys of every shape.
#include "rows/inner/row_runs.h"

#include "rows/record_rows.h"
#include "rows/row_source.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace mrc {
namespace {

using std::string;
using Strings = std::vector<string>;

constexpr i64 kMemory = i64{64} << 10;   // of a worker
constexpr i64 kBlock = i64{4} << 10;     // the least
constexpr i64 kRange = i64{16} << 10;    // bytes of a range, about
constexpr i64 kBytes = i64{1500} << 10;  // of all keys
constexpr i64 kOverhead = 24;            // of a record, about

// So many records, whose keys begin alike and differ in as many ways as there are kinds.
Strings make_keys(size_t common, i64 kinds, Random *random) {
  Strings keys;
  const string front(common, 'c');
  for (i64 bytes = 0; bytes < kBytes; bytes += std::ssize(keys.back()) + kOverhead) {
    keys.push_back(front + std::to_string(pick(*random, 1, kinds) * 7919));
  }
  return keys;
}

class RunsOnDisk : public testing::TestWithParam<std::tuple<int, i64>> {
 protected:
  size_t common() const { return static_cast<size_t>(std::get<0>(GetParam())); }
  i64 kinds() const { return std::get<1>(GetParam()); }

  // Rows that are ordered by key, position and record, as those of sort -k.
  void spill(const SortSpec &spec, const Order &order, const Strings &keys, RowRuns *runs) {
    RowStore store(layout_, KeyBytes::copied);
    for (size_t i = 0; i < keys.size(); ++i) {
      string key = keys[i] + '\0';
      add_keyed_row(spec, order, i, "r", &key, &store);
      if (store.used_bytes() < kMemory / 2) continue;
      ASSERT_TRUE(runs->spill(&store).is_ok());
    }
    ASSERT_TRUE(runs->spill(&store).is_ok());
  }

  // The expected rows, each as the index of its key.
  static std::vector<u64> expected(const SortSpec &spec, const Strings &keys) {
    std::vector<u64> all(keys.size());
    std::iota(all.begin(), all.end(), u64{0});
    std::stable_sort(all.begin(), all.end(), [&](u64 a, u64 b) {
      return spec.reverse ? keys[b] < keys[a] : keys[a] < keys[b];
    });
    if (!spec.unique) return all;
    const auto same = [&](u64 a, u64 b) { return keys[a] == keys[b]; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
  }

  u64 position_of(const Row &row, const SortSpec &spec) const {
    const u64 at = mrc::position_at(layout_.key(row).data() + layout_.identity(row).size());
    return spec.reverse ? ~at : at;
  }

  const RowLayout layout_ = SortSpec{.key = {.fields = {{.field = 1}}}}.layout();
  const TemporaryFolder folder_;
  Random random_{first_seed()};
  WorkerPool pool_{3};
};

// The bytes of a range, and the blocks that are read of all runs, are bounded whatever keys are.
TEST_P(RunsOnDisk, ComeBackInOrderInRangesThatFit) {
  const Strings keys = make_keys(common(), kinds(), &random_);
  const i64 longest = kBlock + std::ssize(keys[0]) + 100;  // bytes of a block
  for (const bool reverse : {false, true}) {
    for (const bool unique : {false, true}) {
      SCOPED_TRACE(string(reverse ? "reverse " : "") + (unique ? "unique" : ""));
      const SortSpec spec{.reverse = reverse, .stable = true, .unique = unique};
      const Order order = spec.order();
      RowRuns runs(order, layout_, nullptr, folder_.path("."), kMemory);
      spill(spec, order, keys, &runs);
      ASSERT_TRUE(runs.merge(kRange, &pool_).is_ok());
      EXPECT_LE(runs.runs(), 16);
      const std::unique_ptr<RunRanges> ranges = runs.ranges();
      ASSERT_TRUE(ranges->cut(kRange).is_ok());
      RangeBuffers buffers(layout_);
      std::vector<u64> found;
      for (i64 range = 0; range < ranges->size(); ++range) {
        ASSERT_TRUE(ranges->load(range, &buffers).is_ok());
        EXPECT_LE(buffers.store.used_bytes(), 2 * (2 * kRange + (runs.runs() + 1) * longest));
        for (const Row &row : buffers.store.rows()) found.push_back(position_of(row, spec));
      }
      EXPECT_TRUE(found == expected(spec, keys));
      EXPECT_LE(ranges->size(), runs.bytes() / kRange + 1);
      EXPECT_LE(ranges->blocks_read(),
                runs.bytes() / kBlock * 3 + ranges->size() * 20 + runs.runs() * 3);
    }
  }
}

// A group has all rows of its identities, and its ranges fit.
TEST_P(RunsOnDisk, AreDividedByIdentity) {
  const Strings keys = make_keys(common(), kinds(), &random_);
  const i64 longest = kBlock + std::ssize(keys[0]) + 100;
  const SortSpec spec{.stable = true};
  const Order order = spec.order();
  RowRuns runs(order, layout_, nullptr, folder_.path("."), kMemory);
  spill(spec, order, keys, &runs);
  ASSERT_TRUE(runs.merge(kRange, &pool_).is_ok());
  std::unique_ptr<RunRanges> ranges = runs.ranges();
  ASSERT_TRUE(ranges->cut_by_identity(kRange).is_ok());
  const std::unique_ptr<RowSource> rows = rows_of_runs(std::move(ranges), layout_);
  EXPECT_GT(rows->blocks(), kinds() > 1000 ? 10 : 0);
  std::vector<u64> found;
  string last;
  for (i64 block = 0; block < rows->blocks(); ++block) {
    bool is_first = true;
    const Status status = rows->show(block, [&](std::span<const Row> some) {
      i64 bytes = 0;
      for (const Row &row : some) {
        EXPECT_TRUE(!std::exchange(is_first, false) || layout_.identity(row) != last);
        found.push_back(position_of(row, spec));
        bytes += std::ssize(layout_.key(row)) + kOverhead;
        last = layout_.identity(row);
      }
      EXPECT_LE(bytes, 2 * (2 * kRange + (runs.runs() + 1) * longest));
      return true;
    });
    ASSERT_TRUE(status.is_ok()) << status.message();
  }
  EXPECT_TRUE(found == expected(spec, keys));
}

INSTANTIATE_TEST_SUITE_P(OfKeys, RunsOnDisk,
                         testing::Combine(testing::Values(0, 7, 8, 63, 64, 65, 200, 5000),
                                          testing::Values<i64>(1, 3, 100, 1000000)));

// Twice as many rows are twice as many blocks to read, even in very little memory.
TEST(ManyRuns, AreMergedInLinearTime) {
  const TemporaryFolder folder;
  const Order order;
  const RowLayout layout;
  WorkerPool pool(2);
  std::vector<double> per_block;
  for (const i64 rows : {20000, 160000}) {
    RowRuns runs(order, layout, nullptr, folder.path("."), 4096);
    RowStore store(layout, KeyBytes::copied);
    Random random(first_seed());
    for (i64 i = 0; i < rows; ++i) {
      const string key = "a common beginning " + std::to_string(pick(random, 1, 1000000));
      store.add(order_prefix(order, key, 0), key, nullptr);
      if (store.used_bytes() < 8192) continue;
      ASSERT_TRUE(runs.spill(&store).is_ok());
    }
    ASSERT_TRUE(runs.spill(&store).is_ok());
    const double blocks = static_cast<double>(runs.bytes()) / static_cast<double>(kBlock);
    ASSERT_TRUE(runs.merge(512, &pool).is_ok());
    const std::unique_ptr<RunRanges> ranges = runs.ranges();
    ASSERT_TRUE(ranges->cut(512).is_ok());
    RangeBuffers buffers(layout);
    i64 found = 0;
    for (i64 range = 0; range < ranges->size(); ++range) {
      ASSERT_TRUE(ranges->load(range, &buffers).is_ok());
      found += buffers.store.rows().size();
    }
    EXPECT_EQ(found, rows);
    per_block.push_back(static_cast<double>(ranges->blocks_read()) / blocks);
  }
  EXPECT_LE(per_block[1], per_block[0] * 2);
}

}  // namespace
}  // namespace mrc
