#include "map/sort_key.h"
#include "rows/inner/row_runs.h"
#include "rows/record_rows.h"
#include "rows/row_source.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using Strings = std::vector<string>;

// A record, its sort key and where it stood.
struct Placed {
  string key;
  u64 position;
  string record;
};

// Rows of a stable sort, which other processes have put in order.
class MergedRuns : public testing::Test {
 protected:
  explicit MergedRuns(bool reverse = false)
      : spec_{.key = {.fields = {{.field = 1}}}, .reverse = reverse, .stable = true} {}

  // Blocks of one record each.
  RunFile run_of(const std::vector<Placed> &records) const {
    RowStore store(layout_, KeyBytes::copied);
    for (const Placed &placed : records) {
      string key = placed.key;
      add_keyed_row(spec_, order_, placed.position, placed.record, &key, &store);
    }
    RunFile file = std::move(*RunFile::temporary(folder_.path(".")));
    RunWriter writer(&file, {.shape = shape()});
    for (const Row &row : store.rows()) {
      string record;
      append_record(shape(), {7, layout_.key(row), true, layout_.state(row), {}}, &record);
      EXPECT_TRUE(writer.add_block({.records = 1, .lo = 7, .hi = 7}, record).is_ok());
    }
    EXPECT_TRUE(writer.finish().is_ok());
    return file;
  }
  std::vector<BlockInfo> blocks_of(const RunFile &file) const {
    return RunReader::open(&file)->blocks();
  }
  Status adopt(const RunFile &file, u64 shift) {
    return runs_.adopt(&file, blocks_of(file), shift);
  }
  // In ranges of a block or two.
  Strings records() {
    Strings all;
    std::unique_ptr<RunRanges> ranges = runs_.ranges();
    EXPECT_TRUE(ranges->cut(40).is_ok());
    const std::unique_ptr<RowSource> rows = rows_of_runs(std::move(ranges), layout_);
    for (i64 block = 0; block < rows->blocks(); ++block) {
      const Status status = rows->show(block, [&](std::span<const Row> shown) {
        for (const Row &row : shown) all.emplace_back(layout_.payload(row));
        return true;
      });
      EXPECT_TRUE(status.is_ok()) << status.message();
    }
    return all;
  }
  RecordShape shape() const { return {0, layout_.state_bytes}; }

  const TemporaryFolder folder_;
  const SortSpec spec_;
  const Order order_ = spec_.order();
  const RowLayout layout_ = spec_.layout();
  RowRuns runs_{order_, layout_, nullptr, folder_.path("."), i64{64} << 10};
};

class ReversedRuns : public MergedRuns {
 protected:
  ReversedRuns() : MergedRuns(true) {}
};

const string kLong = string(100, 'k');

TEST_F(MergedRuns, PositionsCountFromTheFrontOfAllInput) {
  const RunFile a = run_of({{"a", 5, "a5"}, {kLong, 1, "k1"}, {kLong, 3, "k3"}});
  const RunFile b = run_of({{"a", 2, "a102"}, {kLong, 0, "k100"}, {kLong, 9, "k109"}});
  ASSERT_TRUE(adopt(b, 100).is_ok());
  ASSERT_TRUE(adopt(a, 0).is_ok());
  EXPECT_EQ(records(), (Strings{"a5", "a102", "k1", "k3", "k100", "k109"}));
}

TEST_F(ReversedRuns, EqualKeysStayInTheOrderOfTheInput) {
  const RunFile a = run_of({{kLong, 1, "k1"}, {kLong, 3, "k3"}, {"a", 5, "a5"}});
  const RunFile b = run_of({{kLong, 0, "k100"}, {kLong, 9, "k109"}, {"a", 2, "a102"}});
  ASSERT_TRUE(adopt(a, 0).is_ok());
  ASSERT_TRUE(adopt(b, 100).is_ok());
  EXPECT_EQ(records(), (Strings{"k1", "k3", "k100", "k109", "a5", "a102"}));
}

TEST_F(MergedRuns, RowsThatAreNotInOrderAreAnError) {
  const RunFile file = run_of({{"b", 1, "x"}, {"a", 2, "y"}});
  EXPECT_FALSE(adopt(file, 0).is_ok());
}

TEST_F(MergedRuns, KeysWithoutTheirPartsAreAnError) {
  RunFile file = std::move(*RunFile::temporary(folder_.path(".")));
  RunWriter writer(&file, {.shape = shape()});
  const RowLayout::Parts parts{9, 20};
  string record;
  append_record(shape(), {7, "key", true, reinterpret_cast<const State *>(&parts), {}}, &record);
  ASSERT_TRUE(writer.add_block({.records = 1, .lo = 7, .hi = 7}, record).is_ok());
  ASSERT_TRUE(writer.finish().is_ok());
  const Status status = adopt(file, 0);
  ASSERT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("its rows are not those of this job"), string::npos);
}

TEST_F(MergedRuns, NoBlocksAreNoRun) {
  const RunFile file = run_of({});
  EXPECT_TRUE(adopt(file, 0).is_ok());
  EXPECT_TRUE(runs_.empty());
}

}  // namespace
}  // namespace mrc
