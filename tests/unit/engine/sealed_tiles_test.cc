#include "engine/inner/sealed_tiles.h"

#include "support/temporary_folder.h"
#include "unit/reduce/totalled.h"

namespace mrc {
namespace {

// Two files of two units of ten bytes each, and a tile for each file.
class Sealing : public testing::Test {
 protected:
  Sealing() : file_(std::move(*RunFile::temporary(folder_.path(".")))) {
    plan_.sources.resize(2);
    plan_.splits.resize(4);
    plan_.splits[2].source = plan_.splits[3].source = 1;
    plan_.tmpdir = folder_.path(".");
  }

  // Units from..to of a source, in which there were these numbers.
  static TilePart part(i64 source, i64 from, i64 to, const std::vector<i64> &numbers) {
    TilePart part{std::make_unique<MapOutput>(ContainerSpec{}), {}, to - from};
    for (i64 unit = from; unit < to; ++unit) {
      add_portion({source, 10 * unit, 10 * unit + 10, static_cast<u64>(unit), 1}, &part.portions);
    }
    NumberedKeys<Key16> keys;
    std::vector<Numbered> content;
    for (const i64 number : numbers) content.push_back({number, spread(number)});
    std::vector<State *> states(Batch<Key16>::kCapacity);
    const auto batch = make_batch(&keys, content);
    part.output->groups.container<Key16>().group(*batch, states.data());
    for (i64 i = 0; i < batch->size; ++i) ++counter(states[static_cast<size_t>(i)]);
    return part;
  }
  void enter(i64 source) {
    for (i64 unit = 0; unit < 2; ++unit) {
      tiles_.enter({source, 10 * unit, 10 * unit + 10, unit, unit == 1});
    }
  }
  Totals totals(const SealedBlocks &blocks) const {
    Totals all;
    Pages pages;
    for (i64 i = blocks.first; i < blocks.first + blocks.count; ++i) {
      const BlockInfo &block = tiles_.run().blocks()[static_cast<size_t>(i)];
      const Result<Bytes> records = read_block(file_, {0, 8}, block, &pages);
      EXPECT_TRUE(records.is_ok());
      const auto *at = reinterpret_cast<const std::byte *>(records->data());
      for (const std::byte *end = at + records->size(); at < end;) {
        StoredRecord record;
        at = read_record(at, {0, 8}, &record);
        EXPECT_TRUE(all.emplace(record.key, load<u64>(record.fixed)).second);
      }
    }
    return all;
  }

  const TemporaryFolder folder_;
  Plan plan_;
  const StateLayout layout_{count_aggregation()};
  const RunFile file_;
  SealedTiles tiles_{plan_, layout_, layout_, INT64_MAX, &file_};
};

TEST_F(Sealing, ReducesThePartsOfATile) {
  enter(0);
  ASSERT_TRUE(tiles_.leave(0, part(0, 1, 2, {1, 2})).is_ok());
  EXPECT_TRUE(tiles_.run().is_empty());
  ASSERT_TRUE(tiles_.leave(0, part(0, 0, 1, {2, 3})).is_ok());
  EXPECT_FALSE(tiles_.run().is_empty()) << "it is complete";
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  ASSERT_EQ(sealed->size(), 1u);
  const SealedTile &tile = sealed->front();
  EXPECT_EQ(totals(tile.blocks), (Totals{{"1", 1}, {"2", 2}, {"3", 1}}));
  ASSERT_EQ(tile.portions.size(), 1u);
  EXPECT_EQ(tile.portions[0].begin, 0);
  EXPECT_EQ(tile.portions[0].end, 20);
  EXPECT_EQ(tile.portions[0].records, 2);
}

TEST_F(Sealing, IsInTheOrderOfTheInput) {
  enter(1), enter(0);
  ASSERT_TRUE(tiles_.leave(0, part(1, 0, 2, {8})).is_ok());
  ASSERT_TRUE(tiles_.leave(1, part(0, 0, 2, {9})).is_ok());
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  ASSERT_EQ(sealed->size(), 2u);
  EXPECT_EQ(totals((*sealed)[0].blocks), (Totals{{"9", 1}}));
  EXPECT_EQ(totals((*sealed)[1].blocks), (Totals{{"8", 1}}));
  ASSERT_TRUE(tiles_.finish().is_ok());
  EXPECT_TRUE(RunReader::open(&file_).is_ok());
}

// What could not be read is missing between two stretches.
TEST_F(Sealing, ShowsWhatIsMissing) {
  plan_.splits.clear();
  TilePart gap = part(0, 0, 1, {1});
  add_portion({0, 15, 20}, &gap.portions);
  const Result<SealedTile> tile = tiles_.seal([&] {
    std::vector<TilePart> parts;
    parts.push_back(std::move(gap));
    return parts;
  }());
  ASSERT_TRUE(tile.is_ok());
  EXPECT_EQ(tile->portions.size(), 2u);
}

TEST_F(Sealing, OfNoRecordsHasNoBlocks) {
  enter(0);
  ASSERT_TRUE(tiles_.leave(0, part(0, 0, 2, {})).is_ok());
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  ASSERT_EQ(sealed->size(), 1u);
  EXPECT_EQ(sealed->front().blocks.count, 0);
  EXPECT_EQ(sealed->front().portions[0].end, 20);
}

}  // namespace
}  // namespace mrc
