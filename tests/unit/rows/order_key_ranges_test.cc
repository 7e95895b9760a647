#include "map/sort_key.h"
#include "rows/order_key.h"
#include "rows/record_rows.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using Strings = std::vector<string>;

// Rows of whole lines.
class KeyRangesOf : public testing::Test {
 protected:
  std::vector<i64> ranges_of(const Strings &lines, const Strings &splitters, bool descending) {
    const Order order{.descending = descending};
    RowStore store(layout_, KeyBytes::copied);
    for (const string &line : lines) store.add(order_prefix(order, line, 0), line, nullptr);
    const KeyRanges ranges(splitters, order, layout_);
    std::vector<i64> all;
    for (const Row &row : store.rows()) {
      all.push_back(ranges.range_of(row));
      EXPECT_EQ(ranges.range_from(0, row), all.back());
    }
    return all;
  }

  const RowLayout layout_ = {};
};

using Ranges = std::vector<i64>;

TEST_F(KeyRangesOf, BeginWithTheirSplitters) {
  EXPECT_EQ(ranges_of({"", "a", "b", "ba", "c", "d", "\xff"}, {"b", "d"}, false),
            (Ranges{0, 0, 1, 1, 1, 2, 2}));
  EXPECT_EQ(ranges_of({"a", "z"}, {}, false), (Ranges{0, 0}));
}

TEST_F(KeyRangesOf, DescendingRowsHaveDescendingSplitters) {
  EXPECT_EQ(ranges_of({"z", "d", "c", "ba", "b", "a", ""}, {"d", "b"}, true),
            (Ranges{0, 1, 1, 1, 2, 2, 2}));
}

// One row of a key, a position and a record.
TEST(SplitterAt, LeavesPositionsOut) {
  const SortSpec spec{.key = {.fields = {{.field = 1}}}, .stable = true};
  const RowLayout layout = spec.layout();
  RowStore store(layout, KeyBytes::copied);
  string key = "key";
  add_keyed_row(spec, spec.order(), 17, "record", &key, &store);
  EXPECT_EQ(splitter_at(store.rows()[0], layout), "key");
  store.clear();
  key = "key";
  add_keyed_row({}, spec.order(), 17, "record", &key, &store);
  EXPECT_EQ(splitter_at(store.rows()[0], layout), "keyrecord");
  store.clear();
  add_whole_row(spec.order(), string(1000, 'x'), &store);
  EXPECT_EQ(splitter_at(store.rows()[0], layout), string(256, 'x'));
}

TEST(ChooseSplitters, DivideTheSampleIntoEqualParts) {
  const Strings sample = {"d", "a", "c", "b", "f", "e"};
  EXPECT_EQ(choose_splitters(sample, 3, {}), (Strings{"c", "e"}));
  EXPECT_EQ(choose_splitters(sample, 3, {.descending = true}), (Strings{"d", "b"}));
  EXPECT_EQ(choose_splitters({"a", "a", "a", "b"}, 4, {}), (Strings{"a", "b"}));
  EXPECT_EQ(choose_splitters({}, 4, {}), Strings{});
  EXPECT_EQ(choose_splitters(sample, 1, {}), Strings{});
}

}  // namespace
}  // namespace mrc
