#include "reduce/tile_reducer.h"

#include "support/temporary_folder.h"
#include "unit/reduce/totalled.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

// Workers count numbers, tile by tile.
class ReducingTiles : public testing::Test {
 protected:
  static constexpr int kBits = 2;

  TileSpec spec() {
    TileSpec spec;
    spec.partition_bits = kBits;
    spec.overflow.shape.state_bytes = 8;
    spec.overflow.partition_bits = kBits;
    spec.overflow.tmpdir = folder_.path(".");
    return spec;
  }
  void make(const TileSpec &spec) { tiles_ = std::make_unique<TileReducer>(layout_, spec); }

  // A worker has counted numbers [from, to) in one unit of the tile.
  void leave(i64 tile, i64 from, i64 to) {
    std::unique_ptr<MapOutput> output = tiles_->take_empty();
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) {
      content.push_back({i, spread(i)});
      ++expected_[NumberedKeys<Key16>::text(i)];
    }
    by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
      const auto batch = make_batch(&keys_, some);
      std::vector<State *> states(some.size());
      output->groups.container<Key16>().group(*batch, states.data());
      layout_.add(states.data(), {batch->values.data(), 0}, batch->size, &output->arena);
    });
    tiles_->leave(tile, 1, std::move(output));
  }
  // All that was counted, each key once.
  Totals reduced() {
    EXPECT_TRUE(tiles_->end().is_ok());
    std::vector<std::unique_ptr<MapOutput>> outputs;
    std::vector<std::unique_ptr<SharedPartitions>> shared;
    shared.push_back(tiles_->finish(&outputs));
    for (const auto &output : outputs) {
      if (!output->has_staged_records()) continue;
      EXPECT_TRUE(shared[0]->stage(output->overflow.get(), 1 << 20).is_ok());
      shared.clear();
      break;
    }
    Totalled sink;
    PartitionReducer reducer(outputs, shared, layout_, &arena_);
    for (i64 partition = 0; partition < i64{1} << kBits; ++partition) {
      EXPECT_TRUE(reducer.reduce({partition, kBits}, &sink).is_ok());
    }
    return sink.totals;
  }

  TemporaryFolder folder_;
  StateLayout layout_{count_aggregation()};
  NumberedKeys<Key16> keys_;
  std::unique_ptr<TileReducer> tiles_;
  Arena arena_;
  Totals expected_;
};

TEST_F(ReducingTiles, BeginsWhenTheLastWorkerHasLeftATile) {
  make(spec());
  leave(0, 0, 500);
  tiles_->close(0, 2);
  ASSERT_TRUE(tiles_->help(0).is_ok());
  EXPECT_EQ(tiles_->counts().reduced, 0);
  leave(0, 250, 750);
  EXPECT_EQ(tiles_->counts().tiles, 1);
  ASSERT_TRUE(tiles_->help(0).is_ok());
  EXPECT_EQ(tiles_->counts().reduced, 1 << kBits);
  EXPECT_EQ(tiles_->counts().keys, 1000);
  EXPECT_EQ(reduced(), expected_);
}

TEST_F(ReducingTiles, UsesTablesAgain) {
  for (const bool reuses : {true, false}) {
    TileSpec spec = this->spec();
    spec.reuses = reuses;
    make(spec);
    expected_.clear();
    for (i64 tile = 0; tile < 5; ++tile) {
      leave(tile, 10 * tile, 100);
      tiles_->close(tile, 1);
      ASSERT_TRUE(tiles_->help(tile).is_ok());
    }
    EXPECT_EQ(tiles_->counts().tables, reuses ? 1 : 5);
    EXPECT_EQ(reduced(), expected_);
  }
}

TEST_F(ReducingTiles, LeavesTilesApartIfAsked) {
  TileSpec spec = this->spec();
  spec.compresses = false;
  make(spec);
  for (i64 tile = 0; tile < 3; ++tile) {
    leave(tile, 0, 100);
    tiles_->close(tile, 1);
    ASSERT_TRUE(tiles_->help(tile).is_ok());
  }
  EXPECT_EQ(tiles_->counts().tiles, 3);
  EXPECT_EQ(tiles_->counts().reduced, 0);
  EXPECT_EQ(reduced(), expected_);
}

TEST_F(ReducingTiles, WaitsForTheOthersOnlyIfTilesDoNotOverlap) {
  TileSpec spec = this->spec();
  spec.overlaps = false;
  make(spec);
  leave(0, 0, 100);
  tiles_->close(0, 2);
  std::thread waiting([&] { EXPECT_TRUE(tiles_->help(0).is_ok()); });
  leave(0, 50, 150);
  ASSERT_TRUE(tiles_->help(0).is_ok());
  waiting.join();
  EXPECT_EQ(tiles_->counts().reduced, 1 << kBits);
  EXPECT_EQ(reduced(), expected_);
}

TEST_F(ReducingTiles, EndsWaitingWhenTheScanStops) {
  TileSpec spec = this->spec();
  spec.overlaps = false;
  make(spec);
  leave(0, 0, 100);
  std::thread waiting([&] { EXPECT_TRUE(tiles_->help(0).is_ok()); });
  tiles_->stop();
  waiting.join();
}

// Each tile is too large for the memory, and becomes a run.
TEST_F(ReducingTiles, MergesRunsWhileOthersMap) {
  for (const bool merges : {true, false}) {
    TileSpec spec = this->spec();
    spec.merges_runs = merges;
    spec.most_bytes = 1000;
    make(spec);
    expected_.clear();
    for (i64 tile = 0; tile < 9; ++tile) {
      leave(tile, tile, 3000);
      tiles_->close(tile, 1);
      ASSERT_TRUE(tiles_->help(tile).is_ok());
    }
    EXPECT_EQ(tiles_->counts().runs, 9);
    EXPECT_EQ(tiles_->counts().merged, merges ? 8 : 0);
    EXPECT_EQ(reduced(), expected_);
  }
}

TEST_F(ReducingTiles, SaysThatARunCannotBeWritten) {
  TileSpec spec = this->spec();
  spec.most_bytes = 1000;
  spec.overflow.tmpdir = folder_.path("none");
  make(spec);
  leave(0, 0, 3000);
  tiles_->close(0, 1);
  EXPECT_FALSE(tiles_->help(0).is_ok());
}

}  // namespace
}  // namespace mrc
