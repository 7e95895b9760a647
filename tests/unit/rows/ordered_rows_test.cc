#include "rows/ordered_rows.h"

#include "map/sort_key.h"
#include "rows/record_rows.h"
#include "rows/row_source.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST_F(OrderingRows, PartsShareTheMemory) {
  const std::unique_ptr<OrderedRows> a = rows_.make_part(), b = rows_.make_part();
  fill(&fast_, kShare * 2 / 5);
  EXPECT_FALSE(a->is_large(&fast_));
  fill(&slow_, kShare * 2 / 5);
  EXPECT_TRUE(b->is_large(&slow_)) << "both have more than half of the shares of parts";
  EXPECT_TRUE(a->is_large(&fast_));
  ASSERT_TRUE(a->relieve(&fast_).is_ok());
  EXPECT_FALSE(b->is_large(&slow_));
}

// Rows with keys and positions, of a worker's part of a tile.
class PartsOfATile : public testing::Test {
 protected:
  using Strings = std::vector<std::string>;

  std::unique_ptr<OrderedRows> part(const Strings &records, i64 offset, bool spills) {
    auto part = rows_.make_part();
    auto store = std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied);
    for (const std::string &record : records) {
      std::string key = record.substr(0, 1);
      add_keyed_row(spec_, rows_.order(), position_of(3, offset++), record, &key, store.get());
    }
    if (spills) {
      fill_up(store.get());
      EXPECT_TRUE(part->relieve(store.get()).is_ok());
      EXPECT_TRUE(part->on_disk());
    }
    part->add(0, std::move(store));
    return part;
  }
  // Adds rows of high keys until the store is large.
  void fill_up(RowStore *store) {
    for (i64 i = 0; store->used_bytes() < kShare; ++i) {
      std::string key = "z";
      add_keyed_row(spec_, rows_.order(), position_of(3, 1000 + i), "z" + std::to_string(i), &key,
                    store);
    }
  }
  // Writes the tile, moves it to source 1, and returns its first records.
  Strings written(OrderedRows *tile) {
    const RunFile file = std::move(*RunFile::temporary(folder_.path(".")));
    SealedRun run(&file, {0, rows_.layout().state_bytes});
    SealedBlocks blocks;
    EXPECT_TRUE(tile->write(-position_of(3, 0), &run, &blocks).is_ok());
    EXPECT_EQ(std::ssize(run.blocks()), blocks.count);
    EXPECT_TRUE(rows_.adopt(&file, run.blocks(), position_of(1, 0)).is_ok());
    const Result<std::unique_ptr<RowSource>> rows = rows_.load(&pool_);
    EXPECT_TRUE(rows.is_ok());
    Strings records;
    const Status shown = (*rows)->show(0, [&](std::span<const Row> some) {
      for (const Row &row : some.first(std::min<size_t>(some.size(), 5))) {
        const Bytes key = rows_.layout().key(row);
        EXPECT_EQ(source_of(position_at(key.data() + 1)), 1);
        records.emplace_back(rows_.layout().payload(row));
      }
      return false;
    });
    EXPECT_TRUE(shown.is_ok());
    return records;
  }

  const TemporaryFolder folder_;
  const SortSpec spec_{.key = {.fields = {{.field = 1}}}, .stable = true};
  WorkerPool pool_{1};
  OrderedRows rows_{{.order = spec_.order(),
                     .layout = spec_.layout(),
                     .tmpdir = folder_.path("."),
                     .share = kShare},
                    1};
};

TEST_F(PartsOfATile, AreWrittenAsOneRun) {
  const auto a = part({"b1", "a1", "c1"}, 10, false), b = part({"a0", "b0"}, 0, false);
  a->take_over(b.get());
  EXPECT_EQ(written(a.get()), (Strings{"a0", "a1", "b0", "b1", "c1"}));
}

TEST_F(PartsOfATile, MayBeOnDisk) {
  const auto a = part({"b1", "a1", "c1"}, 10, true), b = part({"a0", "b0"}, 0, false);
  a->take_over(b.get());
  EXPECT_EQ(written(a.get()), (Strings{"a0", "a1", "b0", "b1", "c1"}));
}

}  // namespace
}  // namespace mrc
