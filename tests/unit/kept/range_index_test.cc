#include "kept/range_index.h"

#include "base/hash.h"

#include <gtest/gtest.h>

#include <cstring>

namespace mrc {
namespace {

RangeIndex example_index() {
  RangeIndex index;
  index.file = {.device = 1, .inode = 2, .size = 300, .modified_ns = -5, .changed_ns = 1700000000};
  index.reads = "1.0 csv 0123";
  IndexedField number{.name = {"n", -1}, .as_numbers = true, .as_texts = true};
  IndexedField time{.name = {"3", 3}};
  time.times = {*find_zone("+02:00"), 2026, 11, DateOrder::day_first};
  time.zone = "+02:00";
  index.fields = {number, time};
  FieldBounds none, some, times;
  none.numbers.emplace();
  none.texts.emplace().any = false;
  some.numbers.emplace();
  some.numbers->any = some.numbers->misfits = true;
  some.numbers->least = make_number(-150, 2);
  some.numbers->most = make_number(7, 0);
  some.texts.emplace();
  some.texts->any = some.texts->is_cut = true;
  some.texts->least = "";
  some.texts->most = std::string("\0\xff", 2);
  times.times.emplace();
  times.times->any = times.times->needs.year = true;
  times.times->least = -1;
  times.times->most = INT64_MAX;
  index.pages = {{0, 100, 7, 0, {}, 99, {none, {}}},
                 {100, 300, 2, 1, {120, 100, 3, "no", "x\n"}, ~u64{0}, {some, times}}};
  return index;
}

TEST(RangeIndex, ComesBackFromItsBytes) {
  const RangeIndex index = example_index();
  const Result<RangeIndex> back = RangeIndex::from_bytes(index.to_bytes());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(back->file, index.file);
  EXPECT_EQ(back->reads, index.reads);
  EXPECT_EQ(back->to_bytes(), index.to_bytes());
  ASSERT_EQ(back->pages.size(), 2U);
  EXPECT_EQ(back->pages[1].flaw, index.pages[1].flaw);
  EXPECT_EQ(back->pages[1].content, ~u64{0});
  const FieldBounds &bounds = back->pages[1].bounds[0];
  EXPECT_EQ(bounds.numbers->least, make_number(-150, 2));
  EXPECT_TRUE(bounds.numbers->misfits);
  EXPECT_EQ(bounds.texts->most, std::string("\0\xff", 2));
  const TimeExtent &times = *back->pages[1].bounds[1].times;
  EXPECT_TRUE(times.means_same_in(*index.fields[1].times));
  EXPECT_EQ(times.most, INT64_MAX);
  EXPECT_EQ(back->find({"3", 3}), 1);
  EXPECT_EQ(back->find({"3", -1}), -1);
}

// An index of a compressed file.
RangeIndex packed_example() {
  RangeIndex index = example_index();
  index.file.size = 70;
  PackedBlocks blocks;
  blocks.codec = Codec::bgzf;
  blocks.blocks = {{0, 12}, {150, 40}};
  blocks.text_bytes = 300;
  index.blocks = std::make_shared<const PackedBlocks>(std::move(blocks));
  return index;
}

TEST(RangeIndex, OfCompressedFilesHasTheirBlocks) {
  const RangeIndex index = packed_example();
  const Result<RangeIndex> back = RangeIndex::from_bytes(index.to_bytes());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  ASSERT_NE(back->blocks, nullptr);
  EXPECT_EQ(*back->blocks, *index.blocks);
  EXPECT_EQ(back->blocks->block_at(149).packed, 12);
  EXPECT_EQ(back->blocks->block_at(150).packed, 40);
}

TEST(RangeIndex, RefusesBlocksThatDoNotFollowOneAnother) {
  const auto is_read = [](std::vector<PackedBlocks::Block> blocks, i64 text_bytes) {
    RangeIndex index = packed_example();
    PackedBlocks wrong = *index.blocks;
    wrong.blocks = std::move(blocks);
    wrong.text_bytes = text_bytes;
    index.blocks = std::make_shared<const PackedBlocks>(std::move(wrong));
    return RangeIndex::from_bytes(index.to_bytes()).is_ok();
  };
  EXPECT_TRUE(is_read({{0, 0}}, 300));
  EXPECT_FALSE(is_read({}, 300));
  EXPECT_FALSE(is_read({{1, 0}}, 300));
  EXPECT_FALSE(is_read({{0, 0}, {0, 5}}, 300));
  EXPECT_FALSE(is_read({{0, 0}, {5, 0}}, 300));
  EXPECT_FALSE(is_read({{0, 0}, {300, 5}}, 300));
  EXPECT_FALSE(is_read({{0, 0}}, 299));
}

void refuse_each_damage(const std::string &bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(RangeIndex::from_bytes(bytes.substr(0, i)).is_ok()) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
      EXPECT_FALSE(RangeIndex::from_bytes(damaged).is_ok()) << i;
    }
  }
  EXPECT_FALSE(RangeIndex::from_bytes(bytes + '\0').is_ok());
}
TEST(RangeIndex, RefusesEachDamage) {
  refuse_each_damage(example_index().to_bytes());
  refuse_each_damage(packed_example().to_bytes());
}

// Damage with the right checksum: any result will do, but no crash.
TEST(RangeIndex, SurvivesWhatIsMadeUp) {
  const std::string bytes = example_index().to_bytes();
  for (size_t i = 8; i + 8 < bytes.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = bytes.substr(0, bytes.size() - 8);
      damaged[i] = static_cast<char>(value);
      const u64 checksum = checksum_bytes(damaged);
      damaged.append(reinterpret_cast<const char *>(&checksum), sizeof checksum);
      static_cast<void>(RangeIndex::from_bytes(damaged).is_ok());
    }
  }
}

TEST(RangeIndex, PagesCoverTheFile) {
  RangeIndex index = example_index();
  index.pages.pop_back();
  EXPECT_FALSE(RangeIndex::from_bytes(index.to_bytes()).is_ok());
}

TEST(RangeIndex, LiesBesideItsFile) {
  EXPECT_EQ(range_index_path("log", ""), ".log.mrcx");
  EXPECT_EQ(range_index_path("/var/a.log", ""), "/var/.a.log.mrcx");
  const std::string path = range_index_path("/var/a.log", "/tmp/i");
  EXPECT_TRUE(path.starts_with("/tmp/i/a.log-")) << path;
  EXPECT_NE(path, range_index_path("/srv/a.log", "/tmp/i"));
}

}  // namespace
}  // namespace mrc
