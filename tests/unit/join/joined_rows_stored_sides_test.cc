#include "join/joined_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;
using std::vector;

class StoredSides : public testing::Test {
 protected:
  void add(Side side, u64 position, const vector<Bytes> &keys, const vector<Bytes> &fields) {
    const bool has_key = std::ranges::none_of(keys, &Bytes::empty);
    SideWriter(side, order_, &store_).add({keys, fields, has_key, position});
  }
  const Rows &sorted() {
    sort_range(store_.rows(), order_, layout_);
    return store_.rows();
  }

  const Order order_;
  const RowLayout layout_ = join_layout();
  RowStore store_{layout_, KeyBytes::copied};
};

TEST_F(StoredSides, ComeBackAsTheyWere) {
  const Bytes missing;
  add(kLeft, 7, {"k\1ey", "b"}, {"", missing, "a long field, of more than 32 bytes in all"});
  const StoredSide side(layout_, store_.rows()[0]);
  EXPECT_EQ(side.side, kLeft);
  EXPECT_TRUE(side.has_key);
  EXPECT_EQ(side.position, 7u);
  vector<Bytes> fields(3);
  side.read_fields(&fields);
  EXPECT_NE(fields[0].data(), nullptr);
  EXPECT_EQ(fields[1].data(), nullptr);
  EXPECT_EQ(fields[2], "a long field, of more than 32 bytes in all");
  DecodedKey key(2);
  EXPECT_EQ(key.decode(side.key), (vector<Bytes>{"k\1ey", "b"}));
}

TEST_F(StoredSides, OrderByKeyThenRightThenPosition) {
  add(kLeft, 1, {"b"}, {});
  add(kLeft, 3, {"a"}, {});
  add(kRight, 9, {"a"}, {});
  add(kLeft, 2, {"a"}, {});
  add(kRight, 8, {""}, {});
  string found;
  for (const Row &row : sorted()) {
    const StoredSide side(layout_, row);
    found += DecodedKey(1).decode(side.key)[0];
    found += (side.side == kLeft ? "l" : "r") + std::to_string(side.position) + " ";
  }
  EXPECT_EQ(found, "r8 ar9 al2 al3 bl1 ");
}

TEST_F(StoredSides, BlocksInMemoryBeginWhereKeysDo) {
  for (u64 i = 0; i < 20; ++i) add(kLeft, i, {i < 3 ? "a" : i < 17 ? "b" : "c"}, {});
  const Rows &rows = sorted();
  Rows copy;
  copy.append(rows);
  const std::unique_ptr<RowSource> source = rows_by_identity(std::move(copy), layout_, 4);
  string sizes;
  for (i64 block = 0; block < source->blocks(); ++block) {
    EXPECT_TRUE(source
                    ->show(block,
                           [&](std::span<const Row> some) {
                             sizes += std::to_string(some.size()) + " ";
                             return true;
                           })
                    .is_ok());
  }
  EXPECT_EQ(sizes, "17 0 0 0 3 ");
}

}  // namespace
}  // namespace mrc
