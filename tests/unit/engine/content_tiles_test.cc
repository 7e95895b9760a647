#include "engine/inner/content_tiles.h"

#include "split/content_borders.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

constexpr i64 kSize = 4096;
const CutBytes kLines("\n");

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i * 7919) + ",of a text\n";
  return text;
}

class ContentTiles : public testing::Test {
 protected:
  std::vector<ContentTile> tiles_of(const std::string &text, i64 threads,
                                    std::optional<char> quote = {}) {
    folder_.write("text", text);
    const Source source = *examine(folder_.path("text"));
    std::vector<CutFile> files = {{.source = &source, .quote = quote}};
    cut_by_content(kLines, kSize, hash_, threads, &files);
    EXPECT_TRUE(files[0].status.is_ok());
    return files[0].tiles;
  }

  const TemporaryFolder folder_;
  const ContentHash hash_{17};
};

TEST_F(ContentTiles, HaveTheHashesOfTheirBytes) {
  const std::string text = lines(40000);
  for (const i64 threads : {1, 3}) {
    const std::vector<ContentTile> tiles = tiles_of(text, threads);
    EXPECT_GT(std::ssize(tiles), 100);
    i64 at = 0;
    for (const ContentTile &tile : tiles) {
      ASSERT_EQ(tile.begin, at);
      at = tile.end;
      const Bytes bytes = Bytes(text).substr(static_cast<size_t>(tile.begin),
                                             static_cast<size_t>(tile.end - tile.begin));
      ASSERT_EQ(tile.own, hash_.of(0, bytes));
      ASSERT_EQ(tile.content, hash_.of(tile.begin, bytes));
    }
    EXPECT_EQ(at, std::ssize(text));
  }
}

// Stretches that different threads cut have borders in common soon, late or never.
TEST_F(ContentTiles, EndWhereOneThreadFindsThem) {
  Random random(3);
  std::string varied;
  while (varied.size() < (20 << 20)) varied += lines(static_cast<int>(pick(random, 1, 9)));
  const std::string alike = std::string(9 << 20, '\n');
  std::string two;
  while (two.size() < (9 << 20)) two += pick(random, 0, 1) == 0 ? "a\n" : "bc\n";
  const std::string record = std::string(11 << 20, 'x') + "\n";
  for (const std::string &text : {varied, alike, two, record, record + varied, alike + varied,
                                  varied + alike + two + record + varied + "no end"}) {
    ContentBorders borders(kLines, kSize);
    std::vector<i64> expected, found;
    borders.feed(text, &expected);
    borders.finish(&expected);
    for (const ContentTile &tile : tiles_of(text, 3)) found.push_back(tile.end);
    ASSERT_EQ(found, expected);
  }
}

TEST_F(ContentTiles, AreOneIfThereIsAQuote) {
  const std::string text = lines(2000);
  EXPECT_GT(std::ssize(tiles_of(text, 1, '"')), 1);
  EXPECT_EQ(std::ssize(tiles_of(text + "\"", 1, '"')), 1);
  EXPECT_GT(std::ssize(tiles_of(text + "\"", 1)), 1);
}

TEST_F(ContentTiles, OfAFileThatHasShrunkAreAnError) {
  const std::string path = folder_.write("text", lines(1000));
  const Source source = *examine(path);
  folder_.write("text", "less\n");
  std::vector<CutFile> files = {{.source = &source}};
  cut_by_content(CutBytes("\n"), 4096, hash_, 1, &files);
  EXPECT_FALSE(files[0].status.is_ok());
}

}  // namespace
}  // namespace mrc
