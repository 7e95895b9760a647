#include "rows/inner/row_runs.h"
#include "rows/row_source.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using Strings = std::vector<string>;

// Rows of keys, which one process saves and another adopts.
class SavedRuns : public testing::Test {
 protected:
  static constexpr i64 kMemory = i64{64} << 10;

  RowRuns runs(const Order &order) const {
    return RowRuns(order, layout_, nullptr, folder_.path("."), kMemory);
  }
  void fill(const Strings &keys, const Order &order, RowStore *store) const {
    for (const string &key : keys) store->add(order_prefix(order, key, 0), key, nullptr);
  }
  // Writes the keys to a file, a run for each.
  RunFile saved(const std::vector<Strings> &pieces, const Order &order) const {
    Result<RunFile> file = RunFile::temporary(folder_.path("."));
    EXPECT_TRUE(file.is_ok());
    RowRuns all = runs(order);
    RowRuns::File *to = all.lend(&*file);
    RowStore store(layout_, KeyBytes::copied);
    for (const Strings &piece : pieces) {
      fill(piece, order, &store);
      EXPECT_TRUE(all.save(&store, to).is_ok());
      EXPECT_TRUE(store.rows().empty());
    }
    EXPECT_TRUE(RowRuns::finish(to).is_ok());
    return std::move(*file);
  }
  Strings keys_of(RowRuns *all) const {
    Strings keys;
    std::unique_ptr<RunRanges> ranges = all->ranges();
    EXPECT_TRUE(ranges->cut(kMemory / 8).is_ok());
    const std::unique_ptr<RowSource> rows = rows_of_runs(std::move(ranges), layout_);
    for (i64 block = 0; block < rows->blocks(); ++block) {
      const Status status = rows->show(block, [&](std::span<const Row> shown) {
        for (const Row &row : shown) keys.emplace_back(layout_.key(row));
        return true;
      });
      EXPECT_TRUE(status.is_ok()) << status.message();
    }
    return keys;
  }

  const TemporaryFolder folder_;
  const RowLayout layout_ = {};
};

Strings some_keys(i64 n, const string &begin, Random *random) {
  Strings keys;
  for (; n > 0; --n) keys.push_back(begin + std::to_string(pick(*random, 0, 1000000)));
  return keys;
}

// The other process has left out another common prefix, and its runs overlap.
TEST_F(SavedRuns, AreMergedWithNewOnesInAnyOrder) {
  Random random(first_seed());
  for (const bool descending : {false, true}) {
    const Order before{.descending = descending, .common = "a long beginning "};
    const Order now{.descending = descending, .common = "a lo"};
    const std::vector<Strings> pieces = {some_keys(3000, "a long beginning ", &random),
                                         some_keys(2000, "a l", &random),
                                         some_keys(10, "b", &random)};
    const Strings more = some_keys(3000, "a long beginning ", &random);
    const RunFile file = saved(pieces, before);
    RowRuns all = runs(now);
    ASSERT_TRUE(all.adopt(&file).is_ok());
    EXPECT_FALSE(all.empty());
    RowStore store(layout_, KeyBytes::copied);
    fill(more, now, &store);
    ASSERT_TRUE(all.spill(&store).is_ok());
    Strings expected = more;
    for (const Strings &piece : pieces) expected.insert(expected.end(), piece.begin(), piece.end());
    std::sort(expected.begin(), expected.end());
    if (descending) std::reverse(expected.begin(), expected.end());
    EXPECT_TRUE(keys_of(&all) == expected) << (descending ? "descending" : "ascending");
  }
}

TEST_F(SavedRuns, HaveOnlyWhatMayBeInTheAnswer) {
  const Order unique{.limit = 3, .unique = true};
  const RunFile file = saved({{"d", "a", "b", "a", "c"}, {"a", "e"}}, unique);
  RowRuns all = runs(unique);
  ASSERT_TRUE(all.adopt(&file).is_ok());
  EXPECT_EQ(keys_of(&all), Strings({"a", "b", "c", "e"}));
}

// Rows that could not be written are still there, and in a state to be sorted.
TEST_F(SavedRuns, AnErrorLosesNothing) {
  folder_.write("closed", "");
  const Result<RunFile> closed = RunFile::open(folder_.path("closed"));
  ASSERT_TRUE(closed.is_ok());
  const Order order;
  RowRuns all = runs(order);
  Random random(first_seed());
  Strings keys = some_keys(5000, "a beginning ", &random);
  RowStore store(layout_, KeyBytes::copied);
  fill(keys, order, &store);
  EXPECT_FALSE(all.save(&store, all.lend(&*closed)).is_ok());
  EXPECT_TRUE(all.empty());
  ASSERT_TRUE(all.spill(&store).is_ok());
  std::sort(keys.begin(), keys.end());
  EXPECT_TRUE(keys_of(&all) == keys);
}

TEST_F(SavedRuns, OfOtherRowsAreRefused) {
  const Order order;
  const RunFile file = saved({{"a"}}, order);
  const RowLayout other{.state_bytes = 8};
  RowRuns all(order, other, nullptr, folder_.path("."), kMemory);
  EXPECT_NE(all.adopt(&file).message().find("its rows are not those of this job"), string::npos);
}

}  // namespace
}  // namespace mrc
