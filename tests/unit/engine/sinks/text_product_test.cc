#include "engine/sinks/text_product.h"

#include "engine/inner/program.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Prints each chunk with a name and a number before it.
class Echo : public Transformer {
 public:
  class Worker : public ChunkTransformer {
   public:
    i64 transform(const Chunk &chunk, const Source &, TransformedText *out) override {
      if (chunk.offset == 0) out->header = "header";
      out->inserts.push_back({std::ssize(out->text), TransformedText::Insert::kName});
      out->inserts.push_back({std::ssize(out->text), out->lines});
      out->text += chunk.bytes;
      out->ends.push_back(std::ssize(out->text));
      ++out->records, ++out->lines;
      return 1;
    }
  };
  std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *,
                                                BadRecordSink *) const override {
    return std::make_unique<Worker>();
  }
};

class SavedText : public testing::Test {
 protected:
  SavedText() {
    program_.stage = &kTextStage;
    plan_.sources.resize(2);
    plan_.tmpdir = folder_.path(".");
    run_.emplace(program_, plan_, &observer_);
    product_.emplace(&*run_, echo_, nullptr, nullptr);
  }
  void take(i64 source, i64 offset, Bytes bytes) {
    i64 records = 0;
    ASSERT_TRUE(
        product_->take({.bytes = bytes, .source = source, .offset = offset}, &records).is_ok());
    EXPECT_EQ(records, 1);
  }
  std::unique_ptr<TileProduct> end_tile() { return std::move(*product_->end_tile()); }
  static TransformedText text_of(const TextTile &tile, size_t block) {
    Pages buffer;
    return *read_text({&tile.part->file, tile.blocks[block]}, &buffer);
  }

  const TemporaryFolder folder_;
  SilentObserver observer_;
  Program program_;
  Plan plan_;
  const Echo echo_;
  std::optional<mrc::Run> run_;
  std::optional<TextProduct> product_;
};

TEST_F(SavedText, OfAdjacentChunksIsABlock) {
  take(1, 0, "ab"), take(1, 2, "c");
  const auto made = end_tile();
  const auto &tile = static_cast<const TextTile &>(*made);
  ASSERT_EQ(tile.blocks.size(), 1u);
  EXPECT_EQ(tile.blocks[0].lo, position_of(1, 0));
  const TransformedText text = text_of(tile, 0);
  EXPECT_EQ(text.header, "header");
  EXPECT_EQ(text.text, "abc");
  EXPECT_EQ(text.records, 2);
  EXPECT_EQ(text.lines, 2);
  EXPECT_EQ(text.ends, (std::vector<i64>{2, 3}));
  ASSERT_EQ(text.inserts.size(), 4u);
  EXPECT_EQ(text.inserts[2].at, 2);
  EXPECT_EQ(text.inserts[2].line, TransformedText::Insert::kName);
  EXPECT_EQ(text.inserts[3].line, 1);
}

TEST_F(SavedText, OfOtherPlacesIsInOtherBlocks) {
  take(0, 8, "x"), take(0, 4, "y"), take(1, 5, "z");
  const auto made = end_tile();
  const auto &tile = static_cast<const TextTile &>(*made);
  ASSERT_EQ(tile.blocks.size(), 3u);
  std::vector<StoredBlock> blocks;
  for (const BlockInfo &info : tile.blocks) blocks.push_back({&tile.part->file, info});
  sort_by_place(&blocks);
  std::string all;
  Pages buffer;
  for (const StoredBlock &block : blocks) all += read_text(block, &buffer)->text;
  EXPECT_EQ(all, "yxz");
}

TEST_F(SavedText, OfTheNextTileIsApart) {
  take(0, 0, "a");
  const auto first = end_tile();
  take(0, 1, "b");
  const auto second = end_tile();
  EXPECT_EQ(text_of(static_cast<const TextTile &>(*first), 0).text, "a");
  EXPECT_EQ(text_of(static_cast<const TextTile &>(*second), 0).text, "b");
}

TEST_F(SavedText, OfNothingNeedsNoFile) {
  const auto made = end_tile();
  EXPECT_EQ(static_cast<const TextTile &>(*made).part, nullptr);
  bool emptied = false;
  EXPECT_EQ(*product_->save(&emptied), nullptr);
  EXPECT_TRUE(emptied);
}

}  // namespace
}  // namespace mrc
