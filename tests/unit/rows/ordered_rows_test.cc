#include "rows/ordered_rows.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

constexpr i64 kShare = i64{1} << 20;

class OrderingRows : public testing::Test {
 protected:
  void fill(RowStore *store, i64 bytes) const {
    for (i64 i = 0; store->used_bytes() < bytes; ++i) {
      store->add(static_cast<u64>(i), "a key of a row " + std::to_string(i), nullptr);
    }
  }

  TemporaryFolder folder_;
  OrderedRows rows_{{.tmpdir = folder_.path("."), .share = kShare}, 2};
  RowStore fast_{RowLayout{}, KeyBytes::copied}, slow_{RowLayout{}, KeyBytes::copied};
};

TEST_F(OrderingRows, AFastWorkerUsesWhatOthersLeave) {
  fill(&fast_, kShare * 3 / 4);
  EXPECT_FALSE(rows_.is_large(&fast_));
  ASSERT_TRUE(rows_.relieve(&fast_).is_ok());
  EXPECT_FALSE(rows_.on_disk());
}

TEST_F(OrderingRows, TheLargestGoToDiskWhenAllFillHalfOfTheMemory) {
  fill(&fast_, kShare * 3 / 4);
  fill(&slow_, kShare * 2 / 5);
  EXPECT_FALSE(rows_.is_large(&fast_));
  EXPECT_FALSE(rows_.is_large(&slow_)) << "it has less than its share";
  EXPECT_TRUE(rows_.is_large(&fast_));
  ASSERT_TRUE(rows_.relieve(&fast_).is_ok());
  EXPECT_TRUE(rows_.on_disk());
  EXPECT_EQ(fast_.rows().size(), 0);
  fill(&fast_, kShare / 2 + 100);
  EXPECT_FALSE(rows_.is_large(&fast_)) << "what went to disk does not count";
}

}  // namespace
}  // namespace mrc
