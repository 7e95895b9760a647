#include "split/chunk_feed.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace mrc {
namespace {

class SplitByKey : public testing::Test {
 protected:
  // Returns the bytes of each split.
  std::vector<std::string> splits_of(const std::string &text, i64 bytes) {
    folder_.write("sorted", text);
    Source source{.path = folder_.path("sorted")};
    source.end = std::ssize(text);
    const Result<std::vector<Split>> splits = split_by_key(source, 0, bytes, '\n');
    std::vector<std::string> parts;
    for (const Split &split : *splits) {
      parts.push_back(text.substr(static_cast<size_t>(split.begin),
                                  static_cast<size_t>(split.end - split.begin)));
    }
    return parts;
  }

  TemporaryFolder folder_;
};

TEST_F(SplitByKey, CutsWhereAKeyBegins) {
  EXPECT_EQ(splits_of("a\t1\nb\nc\t1\n", 1).size(), 2U);
  EXPECT_EQ(splits_of("a\t1\na\t2\nb\n", 100), std::vector<std::string>{"a\t1\na\t2\nb\n"});
  EXPECT_EQ(splits_of("a\t1\na\t2\na\t3\nb\nc", 1),
            (std::vector<std::string>{"a\t1\na\t2\na\t3\n", "b\nc"}));
  EXPECT_TRUE(splits_of("", 1).empty());
}

TEST_F(SplitByKey, ReadsKeysThatAreLongerThanAWindow) {
  const std::string key(1 << 20, 'k');
  EXPECT_EQ(splits_of(key + "\n" + key + "\n" + key + "l\n", 1),
            (std::vector<std::string>{key + "\n" + key + "\n", key + "l\n"}));
}

TEST(ChunkFeed, GivesEachChunkToOneReaderAndEndsTheLastRecord) {
  TemporaryFolder folder;
  folder.write("a", "1\n2");
  folder.write("b", "3\n");
  std::vector<Source> sources;
  for (const char *name : {"a", "b"}) sources.push_back(*examine(folder.path(name)));
  const std::vector<Split> splits = plan_splits(sources, 2);
  ChunkFeed feed({.sources = sources, .splits = splits, .cuts = CutBytes("\n")}, '\n', true);
  const auto first = feed.open(), second = feed.open();
  std::string text;
  for (bool some = true; some;) {
    some = false;
    for (const auto &reader : {first.get(), second.get()}) {
      const Result<Bytes> next = reader->next();
      ASSERT_TRUE(next.is_ok());
      text += *next;
      some |= !next->empty();
    }
  }
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
  EXPECT_EQ(text.size(), 6U);
}

TEST(ChunkFeed, WaitsForNoPipeAfterAllCommandsHaveGivenUp) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Source source{.path = "pipe"};
  source.stream = true;
  source.fd = ends[0];
  ChunkFeed feed({.sources = {source}, .cuts = CutBytes("\n")}, '\n', true, 2);
  const auto first = feed.open(), second = feed.open();
  ASSERT_EQ(write(ends[1], "1\n", 2), 2);
  EXPECT_EQ(*first->next(), "1\n");
  second->give_up();
  second->give_up();
  ASSERT_EQ(write(ends[1], "2\n", 2), 2);
  EXPECT_EQ(*first->next(), "2\n");
  std::thread command([&] { first->give_up(); });
  EXPECT_EQ(*first->next(), "");
  command.join();
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace mrc
