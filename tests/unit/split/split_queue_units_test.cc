// Reading by units: what puts results in the order of the input relies on.
#include "split/split_queue.h"
#include "support/compress.h"
#include "support/temporary_folder.h"
#include "unit/split/read_through.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace mrc {
namespace {

class Units : public testing::Test {
 protected:
  // In the order of the input.
  SplitQueue queue(const std::vector<std::string> &paths, i64 split_bytes,
                   i64 most_window_bytes = INT64_MAX) {
    const std::vector<Source> sources = examined(paths);
    return SplitQueue(
        {.sources = sources,
         .splits = plan_splits(sources, split_bytes),
         .cuts = CutBytes("\n"),
         .complain = [&](const Source &, const Status &what) { complaint_ = what.message(); },
         .most_window_bytes = most_window_bytes,
         .in_order = true});
  }
  static std::optional<Unit> claim(ChunkReader *reader) {
    Result<std::optional<Unit>> unit = reader->claim();
    EXPECT_TRUE(unit.is_ok());
    return unit.is_ok() ? *unit : std::nullopt;
  }
  // What the reader's unit has, up to its end.
  static std::string text_of(ChunkReader *reader) {
    std::string text;
    for (;;) {
      Result<std::optional<Chunk>> chunk = reader->next();
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
  ChunkReader one(&splits), other(&splits);
  std::map<std::pair<i64, i64>, std::string> texts;
  std::vector<bool> last;
  for (ChunkReader *reader : {&one, &other, &one, &other, &one, &other}) {
    const std::optional<Unit> unit = claim(reader);
    if (!unit) continue;
    texts[{unit->source, unit->number}] = text_of(reader);
    last.push_back(unit->last);
  }
  std::string text;
  for (const auto &[unit, part] : texts) text += part;
  EXPECT_EQ(text, "aaaaaaa\nb\nc\n");
  EXPECT_EQ(last, (std::vector<bool>{false, false, false, true, true}));
  EXPECT_EQ((texts[{0, 1}]), "") << "no line begins in the middle of the first";
  EXPECT_EQ((texts[{1, 0}]), "c\n") << "numbers begin again";
  EXPECT_FALSE(claim(&one));
}

// What order relies on: each input that has units has one that is the last.
TEST_F(Units, OfFilesAndStreamsComeInTheOrderOfTheInputSideBySide) {
  SplitQueue units = queue(
      {folder_.write("a", "a\n"), folder_.write("b", gzipped("b\nb\n")), folder_.write("c", "c\n"),
       folder_.write("d", gzipped("")), folder_.write("e", gzipped("e\n"))},
      100);
  ChunkReader one(&units), other(&units);
  std::string claimed;
  auto take = [&](ChunkReader *reader) {
    const std::optional<Unit> unit = claim(reader);
    if (!unit) return false;
    EXPECT_TRUE(unit->last);
    EXPECT_EQ(unit->number, 0);
    claimed += std::to_string(unit->source) + text_of(reader);
    return true;
  };
  EXPECT_TRUE(take(&one));
  EXPECT_TRUE(take(&one));
  EXPECT_TRUE(take(&other));
  EXPECT_TRUE(take(&other)) << "the first one is still in the lane of b";
  EXPECT_TRUE(take(&one));
  EXPECT_FALSE(take(&one));
  EXPECT_FALSE(take(&other));
  EXPECT_EQ(claimed, "0a\n1b\nb\n2c\n34e\n");
}

// A worker that is far ahead helps in the first stream that has not ended; the one that it has
// left is then the next to be read.
TEST_F(Units, OfTheFirstStreamAreReadByThoseFarAhead) {
  const std::string text(2000000, '\n');
  const std::vector<Source> sources =
      examined({folder_.write("a", gzipped(text)), folder_.write("b", gzipped(text)),
                folder_.write("c", gzipped("c\n"))});
  bool far_ahead = false;
  SplitQueue units({.sources = sources, .cuts = CutBytes("\n"), .in_order = true, .far_ahead = [&] {
                      return far_ahead;
                    }});
  ChunkReader one(&units), other(&units);
  EXPECT_EQ(claim(&one)->source, 0);
  EXPECT_EQ(claim(&other)->source, 1);
  far_ahead = true;
  EXPECT_EQ(claim(&other)->source, 0);
  far_ahead = false;
  while (claim(&other)->source == 0) continue;
  EXPECT_EQ(claim(&one)->source, 2) << "the other one is back in the second";
  while (const std::optional<Unit> unit = claim(&other)) EXPECT_EQ(unit->source, 1);
  EXPECT_FALSE(claim(&one));
}

TEST_F(Units, OfEarlierStreamsAreLeftToOthersByWorkersThatNeverGoBack) {
  const std::string text(2000000, '\n');
  const std::vector<Source> sources =
      examined({folder_.write("a", gzipped(text)), folder_.write("b", gzipped("b\n"))});
  for (const bool never_back : {false, true}) {
    SplitQueue units(
        {.sources = sources, .cuts = CutBytes("\n"), .in_order = true, .never_back = never_back});
    ChunkReader one(&units), other(&units), third(&units);
    EXPECT_EQ(claim(&one)->source, 0);
    EXPECT_EQ(claim(&other)->source, 1);
    const std::optional<Unit> next = claim(&other);
    EXPECT_EQ(next.has_value(), !never_back);
    EXPECT_EQ(claim(&third)->source, 0);
  }
}

// Streams with windows that are too large to be open side by side keep that order, too.
TEST_F(Units, OfStreamsWithLargeWindowsAreOpenOneAtATime) {
  SplitQueue units =
      queue({folder_.write("a", gzipped("a\n")), folder_.write("b", gzipped("b\n"))}, 100, 0);
  ChunkReader one(&units);
  EXPECT_EQ(claim(&one)->source, 0);
  std::thread second([&] {
    ChunkReader other(&units);
    EXPECT_EQ(claim(&other)->source, 1);
    EXPECT_EQ(text_of(&other), "b\n");
  });
  EXPECT_EQ(text_of(&one), "a\n");
  second.join();
  EXPECT_FALSE(claim(&one));
}

TEST_F(Units, AreEmptyIfTheirFileIsNotThere) {
  SplitQueue splits = queue(
      {folder_.write("a", "a\n"), folder_.write("b", gzipped("b\n")), folder_.write("c", "c\n")},
      100);
  ChunkReader reader(&splits);
  std::filesystem::remove(folder_.path("a"));
  std::filesystem::remove(folder_.path("b"));
  EXPECT_EQ(claim(&reader)->source, 0);
  EXPECT_EQ(text_of(&reader), "");
  EXPECT_NE(complaint_, "");
  EXPECT_TRUE(claim(&reader)->last);
  EXPECT_EQ(text_of(&reader), "");
  EXPECT_EQ(claim(&reader)->source, 2);
  EXPECT_EQ(text_of(&reader), "c\n");
}

TEST_F(Units, OfInputsNotWantedAnyMoreAreEmpty) {
  SplitQueue splits = queue({folder_.write("a", "a\na\n"), folder_.write("b", "b\n")}, 2);
  ChunkReader reader(&splits);
  EXPECT_TRUE(claim(&reader));
  EXPECT_EQ(text_of(&reader), "a\n");
  splits.skip(0);
  std::string rest;
  while (claim(&reader)) rest += text_of(&reader);
  EXPECT_EQ(rest, "b\n");
}

}  // namespace
}  // namespace mrc
