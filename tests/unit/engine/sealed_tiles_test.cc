#include "engine/inner/sealed_tiles.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mrc {
namespace {

using std::string;

struct Keys : TileProduct {
  explicit Keys(string of) : keys(std::move(of)) {}
  string keys;  // a letter each
};

// Writes the keys of all parts, in order.
class Letters : public Products {
 public:
  std::unique_ptr<Product> make_product(i64, BadRecordSink *, PartFiles *) override { return {}; }
  Status adopt(SavedParts, SavedParts) override { return Status::ok(); }
  RecordShape kept_shape() const override { return {}; }
  Status seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) override {
    string keys;
    for (const auto &part : parts) keys += static_cast<Keys *>(part.get())->keys;
    std::ranges::sort(keys);
    last_origin = origin;
    return run->write(
        [&](RunWriter *writer) {
          std::vector<std::byte> records;
          for (const char &key : keys) append_record({}, {0, {&key, 1}}, &records);
          const Bytes bytes(reinterpret_cast<const char *>(records.data()), records.size());
          BlockInfo block;
          block.records = std::ssize(keys);
          return keys.empty() ? Status::ok() : writer->add_block(block, bytes);
        },
        written);
  }
  Status merge(std::span<const KeptStretch> tiles, u64, SealedRun *, SealedBlocks *) override {
    merged = std::ssize(tiles);
    return Status::ok();
  }
  Status load(std::span<const KeptStretch>) override { return Status::ok(); }

  u64 last_origin = 0;
  i64 merged = 0;
};

// Two files of two units of ten bytes each, and a tile for each file.
class Sealing : public testing::Test {
 protected:
  Sealing() : file_(std::move(*RunFile::temporary(folder_.path(".")))) {
    plan_.sources.resize(2);
    plan_.splits.resize(4);
    plan_.splits[2].source = plan_.splits[3].source = 1;
  }

  // Units from..to of a source, which had these keys.
  static TilePart part(i64 source, i64 from, i64 to, const string &keys) {
    TilePart part{std::make_unique<Keys>(keys), {}, to - from};
    for (i64 unit = from; unit < to; ++unit) {
      add_portion({source, 10 * unit, 10 * unit + 10, static_cast<u64>(unit), 1}, &part.portions);
    }
    return part;
  }
  void enter(i64 source) {
    for (i64 unit = 0; unit < 2; ++unit) {
      tiles_.enter({source, 10 * unit, 10 * unit + 10, unit, unit == 1});
    }
  }
  string keys(const SealedBlocks &blocks) {
    string all;
    Pages pages;
    for (i64 i = blocks.first; i < blocks.first + blocks.count; ++i) {
      const BlockInfo &block = tiles_.run().blocks()[static_cast<size_t>(i)];
      const Result<Bytes> records = read_block(file_, {}, block, &pages);
      EXPECT_TRUE(records.is_ok());
      const auto *at = reinterpret_cast<const std::byte *>(records->data());
      for (const std::byte *end = at + records->size(); at < end;) {
        StoredRecord record;
        at = read_record(at, {}, &record);
        all += record.key;
      }
    }
    return all;
  }

  const TemporaryFolder folder_;
  Plan plan_;
  Letters letters_;
  const RunFile file_;
  SealedTiles tiles_{plan_, &letters_, &file_};
};

TEST_F(Sealing, BringsThePartsOfATileTogether) {
  enter(0);
  ASSERT_TRUE(tiles_.leave(0, part(0, 1, 2, "cb")).is_ok());
  EXPECT_TRUE(tiles_.run().is_empty());
  ASSERT_TRUE(tiles_.leave(0, part(0, 0, 1, "ad")).is_ok());
  EXPECT_FALSE(tiles_.run().is_empty()) << "it is complete";
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  ASSERT_EQ(sealed->size(), 1u);
  const SealedTile &tile = sealed->front();
  EXPECT_EQ(keys(tile.blocks), "abcd");
  ASSERT_EQ(tile.portions.size(), 1u);
  EXPECT_EQ(tile.portions[0].begin, 0);
  EXPECT_EQ(tile.portions[0].end, 20);
  EXPECT_EQ(tile.portions[0].records, 2);
}

TEST_F(Sealing, IsInTheOrderOfTheInput) {
  enter(1), enter(0);
  ASSERT_TRUE(tiles_.leave(0, part(1, 0, 2, "x")).is_ok());
  EXPECT_EQ(letters_.last_origin, position_of(1, 0));
  ASSERT_TRUE(tiles_.leave(1, part(0, 0, 2, "y")).is_ok());
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  ASSERT_EQ(sealed->size(), 2u);
  EXPECT_EQ(keys((*sealed)[0].blocks), "y");
  EXPECT_EQ(keys((*sealed)[1].blocks), "x");
  ASSERT_TRUE(tiles_.finish().is_ok());
  EXPECT_TRUE(RunReader::open(&file_).is_ok());
}

TEST_F(Sealing, ShowsMissingInput) {
  enter(0);
  TilePart gap = part(0, 0, 1, "a");
  gap.units = 2;
  add_portion({0, 15, 20}, &gap.portions);
  ASSERT_TRUE(tiles_.leave(0, std::move(gap)).is_ok());
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  EXPECT_EQ(sealed->front().portions.size(), 2u);
}

TEST_F(Sealing, OfNoRecordsHasNoBlocks) {
  enter(0);
  ASSERT_TRUE(tiles_.leave(0, part(0, 0, 2, "")).is_ok());
  const auto sealed = tiles_.close();
  ASSERT_TRUE(sealed.is_ok());
  ASSERT_EQ(sealed->size(), 1u);
  EXPECT_EQ(sealed->front().blocks.count, 0);
  EXPECT_EQ(sealed->front().portions[0].end, 20);
}

TEST_F(Sealing, MergesAdjacentTiles) {
  const KeptStretch tiles[] = {{.portion = {0, 0, 10, 1, 2}}, {.portion = {0, 10, 30, 3, 4}}};
  const Result<SealedTile> merged = tiles_.merge(tiles);
  ASSERT_TRUE(merged.is_ok());
  EXPECT_EQ(letters_.merged, 2);
  ASSERT_EQ(merged->portions.size(), 1u);
  EXPECT_EQ(merged->portions[0].end, 30);
  EXPECT_EQ(merged->portions[0].records, 6);
}

}  // namespace
}  // namespace mrc
