// Tiles as jobs have them: each switch changes what is counted, and none the answer.
#include "base/names.h"
#include "engine/engine.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <set>

namespace mrc {
namespace {

class TiledJob : public testing::Test {
 protected:
  static constexpr int kWords = 200000, kKeys = 20000;

  TiledJob() {
    std::string text;
    for (int i = 0; i < kWords; ++i) text += "w" + std::to_string(i * 7919 % kKeys) + " ";
    program_.inputs = {folder_.write("a", text)};
    program_.output = folder_.path("out");
    program_.tmpdir = folder_.path(".");
    program_.threads = 4;
    program_.split_bytes = 5000;
    program_.tiling = Tiling::fixed;
    program_.tile_bytes = 50000;
  }
  Report run_job(const Topology *topology = nullptr) {
    Result<Report> report = run(program_, make_plan(program_, topology), &silent_);
    EXPECT_TRUE(report.is_ok()) << report.status().message();
    answers_.insert(folder_.read("out"));
    return report.is_ok() ? *report : Report();
  }
  void TearDown() override { EXPECT_EQ(answers_.size(), 1u); }

  TemporaryFolder folder_;
  SilentObserver silent_;
  Program program_;
  std::set<std::string> answers_;
};

TEST_F(TiledJob, ReducesTilesWhileItMaps) {
  const Report tiled = run_job();
  EXPECT_GE(tiled.tiles.tiles, 20);
  EXPECT_GT(tiled.tiles.reduced, 0);
  program_.tile_bytes = 0;
  EXPECT_EQ(run_job().tiles.tiles, 0);
}

TEST_F(TiledJob, MakesTablesForTheFirstTilesOnly) {
  program_.threads = 1;
  const Report reused = run_job();
  EXPECT_EQ(reused.tiles.tables, 1);
  program_.switches.reuse = false;
  const Report anew = run_job();
  EXPECT_EQ(anew.tiles.tables, anew.tiles.tiles);
}

TEST_F(TiledJob, WaitsAtTheEndOfTilesWithoutThePipeline) {
  EXPECT_EQ(run_job().tiles.waits, 0);
  program_.switches.pipeline = false;
  EXPECT_GT(run_job().tiles.waits, 0);
}

TEST_F(TiledJob, HasEachKeyOnceHoweverManyTilesThereAre) {
  program_.threads = 1;
  const Report whole = run_job();
  EXPECT_LE(whole.tables.keys, kKeys) << "of the last tile";
  program_.switches.compress = false;
  const Report apart = run_job();
  EXPECT_EQ(apart.tiles.reduced, 0);
  EXPECT_GT(apart.tables.keys, 5 * kKeys) << "of all tiles";
}

TEST_F(TiledJob, MergesRunsIfItIsEager) {
  program_.threads = 1;
  program_.memory = i64{2} << 20;
  const Report lazy = run_job();
  EXPECT_GT(lazy.tiles.runs, 4);
  EXPECT_EQ(lazy.tiles.merged, 0);
  program_.switches.eager = true;
  EXPECT_GT(run_job().tiles.merged, 0);
}

// Tables have a least size: more of them than memory has room for would leave with every tile.
TEST_F(TiledJob, KeepsPartitionsInLittleMemory) {
  program_.memory = i64{16} << 20;
  const Report report = run_job();
  EXPECT_GT(report.tiles.reduced, 0);
  EXPECT_EQ(report.tiles.runs, 0);
}

TEST_F(TiledJob, StealsTilesWhole) {
  program_.split_bytes = 1000;
  const Topology four({{{0}}, {{1}}, {{2}}, {{3}}});
  program_.tile_bytes = 20000;
  EXPECT_GT(run_job(&four).tiles.tiles, 0);
  program_.threads = 7;
  EXPECT_GT(run_job(&four).tiles.tiles, 0);
  const Topology one({{{0, 1, 2, 3}}});
  EXPECT_EQ(run_job(&one).tiles.stolen, 0);
}

TEST_F(TiledJob, IsTheSameWithEveryContainer) {
  for (const ContainerType *container : all_containers()) {
    program_.container = container;
    EXPECT_GT(run_job().tiles.tiles, 0) << container->name;
  }
}

// States that grow are in the memory of workers, which tiles leave to the partitions.
TEST_F(TiledJob, KeepsLists) {
  program_.aggregation = positions_aggregation();
  program_.map.values = MapSpec::Values::byte;
  for (const i64 tile : {0, 20000, 300000}) {
    program_.tile_bytes = tile;
    run_job();
    program_.memory = i64{4} << 20;
    run_job();
    program_.memory.reset();
  }
}

// The size that `cache` has is the planner's.
TEST_F(TiledJob, SaysWhatTilesItHas) {
  const auto decision = [&] {
    for (const Decision &each : make_plan(program_).decisions) {
      if (each.name == "tiles") return each.value + " " + each.reason;
    }
    return std::string("none");
  };
  EXPECT_EQ(decision(), "50000 bytes as asked");
  program_.tiling = Tiling::cache;
  EXPECT_NE(decision().find("there is no sample"), std::string::npos) << decision();
  program_.tiling = Tiling::automatic;
  EXPECT_EQ(decision(), "all input is one nothing is known of the keys");
  run_job();
}

// Rows are sorted range by range while those before are written.
TEST_F(TiledJob, WritesRowsWhileItSortsOthers) {
  program_.threads = 1;
  EXPECT_GT(run_job().early_bytes, 0);
  program_.switches.async_output = false;
  EXPECT_EQ(run_job().early_bytes, 0);
}

}  // namespace
}  // namespace mrc
