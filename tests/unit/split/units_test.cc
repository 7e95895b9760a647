// Reading by units: what puts results in the order of the input relies on.
#include "split/split.h"
#include "support/temporary_folder.h"
#include "unit/split/read_through.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

class Units : public testing::Test {
 protected:
  SplitQueue queue(const std::vector<std::string> &paths, i64 split_bytes) {
    const std::vector<Source> sources = examined(paths);
    return SplitQueue(sources, plan_splits(sources, split_bytes), CutBytes("\n"),
                      [&](const Source &, const Status &what) { complaint_ = what.message(); });
  }
  // What the reader's unit has, up to its end.
  static std::string text_of(ChunkReader *reader) {
    std::string text;
    for (;;) {
      Result<std::optional<Chunk>> chunk = reader->next_of_unit();
      EXPECT_TRUE(chunk.is_ok());
      if (!chunk.is_ok() || !*chunk) return text;
      text += (*chunk)->bytes;
    }
  }

  TemporaryFolder folder_;
  std::string complaint_;
};

TEST_F(Units, AreNumberedInTheOrderOfTheInput) {
  SplitQueue splits = queue({folder_.write("a", "aaaaaaa\nb\n"), folder_.write("b", "c\n")}, 3);
  ChunkReader one(&splits, IoMode::read), other(&splits, IoMode::read);
  std::map<i64, std::string> texts;
  for (ChunkReader *reader : {&one, &other, &one, &other, &one, &other}) {
    if (!reader->claim()) continue;
    EXPECT_EQ(reader->unit(), std::ssize(texts));
    texts[reader->unit()] = text_of(reader);
  }
  std::string text;
  for (const auto &[unit, part] : texts) text += part;
  EXPECT_EQ(text, "aaaaaaa\nb\nc\n");
  EXPECT_GE(texts.size(), 4u);
  EXPECT_EQ(texts[1], "") << "no line begins in the middle of the first";
  EXPECT_FALSE(one.claim());
}

TEST_F(Units, AreEmptyIfTheirFileIsNotThere) {
  SplitQueue splits = queue({folder_.write("a", "a\n"), folder_.write("b", "b\n")}, 100);
  ChunkReader reader(&splits, IoMode::read);
  std::filesystem::remove(folder_.path("a"));
  EXPECT_TRUE(reader.claim());
  EXPECT_EQ(text_of(&reader), "");
  EXPECT_NE(complaint_, "");
  EXPECT_TRUE(reader.claim());
  EXPECT_EQ(text_of(&reader), "b\n");
}

TEST_F(Units, OfInputsNotWantedAnyMoreAreEmpty) {
  SplitQueue splits = queue({folder_.write("a", "a\na\n"), folder_.write("b", "b\n")}, 2);
  ChunkReader reader(&splits, IoMode::read);
  EXPECT_TRUE(reader.claim());
  EXPECT_EQ(text_of(&reader), "a\n");
  splits.skip(0);
  std::string rest;
  while (reader.claim()) rest += text_of(&reader);
  EXPECT_EQ(rest, "b\n");
}

}  // namespace
}  // namespace mrc
