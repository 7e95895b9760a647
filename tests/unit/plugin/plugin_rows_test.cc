#include "plugin/plugin_rows.h"

#include "combine/integers.h"

#include <gtest/gtest.h>

#include <cstring>

namespace mrc {
namespace {

using std::string;

Bytes bytes_of(mrc_text text) { return {text.data, text.size}; }

class RowViewsTest : public testing::Test {
 protected:
  // A count and a sum.
  RowViewsTest()
      : layout_(Aggregation{{{builtin_reducer("count")}, {builtin_reducer("sum"), 0}},
                            {builtin_column(builtin_reducer("count"), 0),
                             builtin_column(builtin_reducer("sum"), 1)},
                            {}}) {}

  std::vector<u64> state_of(i64 value) {
    std::vector<u64> words(static_cast<size_t>(layout_.state_bytes()) / 8);
    State *state = reinterpret_cast<State *>(words.data());
    const u64 word = static_cast<u64>(value);
    layout_.add(&state, {&word, 1}, 1, nullptr);
    return words;
  }
  void add(RowViews *views, Bytes key, i64 value) {
    const std::vector<u64> words = state_of(value);  // gone when rows are looked at
    views->add(key, reinterpret_cast<const State *>(words.data()));
  }

  StateLayout layout_;
};

TEST_F(RowViewsTest, HaveKeysAndCellsAsTexts) {
  RowViews views(layout_, KeyShape{{{"key", false}}}, Notation::exact);
  const std::vector<string> keys = {"", "key", string("N\0L", 3), string(70000, 'k')};
  for (size_t i = 0; i < keys.size(); ++i) add(&views, keys[i], static_cast<i64>(i) - 1);
  const mrc_rows rows = views.rows();
  ASSERT_EQ(rows.count, keys.size());
  EXPECT_EQ(rows.bytes, sizeof(mrc_row));
  EXPECT_EQ(rows.cells, 2u);
  for (size_t i = 0; i < keys.size(); ++i) {
    const mrc_row *row = mrc_row_at(rows, i);
    EXPECT_EQ(bytes_of(row->key), keys[i]);
    EXPECT_EQ(row->key.data[row->key.size], '\0');
    EXPECT_EQ(bytes_of(row->cells[0]), "1");
    EXPECT_EQ(bytes_of(row->cells[1]), std::to_string(static_cast<i64>(i) - 1));
    EXPECT_EQ(std::strlen(row->cells[1].data), row->cells[1].size);
  }
}

TEST_F(RowViewsTest, HaveIntegersAsTheyWere) {
  const KeyPart number = {"number", true};
  RowViews views(layout_, KeyShape{{number}}, Notation::exact);
  const std::vector<i64> keys = {INT64_MIN, INT64_MIN + 1, -10, -9, 0, 7, 10, INT64_MAX};
  string before;
  for (i64 key : keys) {
    string bytes;
    append_key_part(number, std::to_string(key), &bytes);
    EXPECT_LT(before, bytes) << "numbers are in order";
    before = bytes;
    add(&views, bytes, 5);
  }
  const mrc_rows rows = views.rows();
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(mrc_row_at(rows, i)->integer, keys[i]);
    EXPECT_EQ(bytes_of(mrc_row_at(rows, i)->key), std::to_string(keys[i]));
  }
}

TEST_F(RowViewsTest, MayBeNone) {
  RowViews views(layout_, KeyShape{{{"key", false}}}, Notation::exact);
  EXPECT_EQ(views.rows().count, 0u);
  add(&views, "a", 1);
  views.clear();
  EXPECT_EQ(views.rows().count, 0u);
  add(&views, "b", 2);
  EXPECT_EQ(bytes_of(views.rows().at->key), "b");
  EXPECT_EQ(bytes_of(views.rows().at->cells[1]), "2");
}

}  // namespace
}  // namespace mrc
