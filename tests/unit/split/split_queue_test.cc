#include "split/split.h"
#include "support/temporary_folder.h"
#include "unit/split/read_through.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

namespace mrc {
namespace {

class Streams : public testing::Test {
 protected:
  // Makes a fifo and a thread that writes the text to it in pieces of odd sizes.
  std::string feed(const std::string &name, const std::string &text) {
    const std::string path = folder_.path(name);
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    fifos_.push_back(path);
    writers_.emplace_back([path, text] {
      int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      for (size_t at = 0, size = 1; at < text.size(); size = size * 3 % 50021 + 1) {
        ssize_t put = write(fd, text.data() + at, std::min(size, text.size() - at));
        if (put <= 0) break;
        at += static_cast<size_t>(put);
      }
      close(fd);
    });
    return path;
  }
  void SetUp() override { signal(SIGPIPE, SIG_IGN); }
  void TearDown() override {
    // Writers that were not read wait for a reader: one that leaves at once will do.
    for (const std::string &fifo : fifos_) close(open(fifo.c_str(), O_RDONLY | O_NONBLOCK));
    for (std::thread &writer : writers_) writer.join();
  }

  TemporaryFolder folder_;
  std::vector<std::string> fifos_;
  std::vector<std::thread> writers_;
};

TEST_F(Streams, AreReadInBlocksOfWholeRecords) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + "\n";
  text += "no newline";
  ReadThrough all = read_through(examined({feed("fifo", text)}), 1, IoMode::read, 3);
  EXPECT_TRUE(all.texts[0] == text);
  EXPECT_EQ(all.bytes, static_cast<i64>(text.size()));
  EXPECT_GE(all.chunks.size(), 4u);
  EXPECT_TRUE(all.complaints.empty());
  expect_whole_records(all);
}

TEST_F(Streams, HaveRecordsLongerThanABlock) {
  const std::string text = "a\n" + std::string(1 << 20, 'L') + "\nb\n" + std::string(600000, 'M');
  ReadThrough all = read_through(examined({feed("fifo", text)}), 1, IoMode::mmap, 2);
  EXPECT_TRUE(all.texts[0] == text);
  expect_whole_records(all);
}

TEST_F(Streams, MayBeEmptyOrOneByte) {
  std::vector<Source> sources =
      examined({feed("empty", ""), folder_.write("file", ""), feed("one", "x"), "/dev/null"});
  for (const Source &source : sources) EXPECT_TRUE(source.stream) << source.path;
  ReadThrough all = read_through(sources, 1, IoMode::read, 2);
  EXPECT_EQ(all.texts, (std::map<i64, std::string>{{2, "x"}}));
}

TEST_F(Streams, AreReadOneAfterTheOtherAndBetweenFiles) {
  std::vector<Source> sources = examined({feed("f", "f1\nf2"), folder_.write("g", "g1\ng2\n"),
                                          feed("h", "h1\n"), folder_.write("i", "i1")});
  ReadThrough all = read_through(sources, 2, IoMode::read, 1);
  EXPECT_EQ(all.texts,
            (std::map<i64, std::string>{{0, "f1\nf2"}, {1, "g1\ng2\n"}, {2, "h1\n"}, {3, "i1"}}));
}

TEST_F(Streams, OfProcAreReadThoughTheySayTheyAreEmpty) {
  ReadThrough all = read_through(examined({"/proc/self/status"}), 1, IoMode::mmap, 2);
  EXPECT_TRUE(all.texts[0].starts_with("Name:")) << all.texts[0];
  EXPECT_TRUE(all.texts[0].ends_with("\n"));
}

TEST_F(Streams, ThatVanishAreComplainedAboutAndTheRestIsRead) {
  std::vector<Source> sources = examined({folder_.write("gone", ""), feed("f", "f\n")});
  unlink(sources[0].path.c_str());
  ReadThrough all = read_through(sources, 1, IoMode::read);
  EXPECT_EQ(all.texts, (std::map<i64, std::string>{{1, "f\n"}}));
  EXPECT_EQ(all.complaints,
            std::vector<std::string>{sources[0].path + ": No such file or directory"});
}

// A second read at the end of a terminal would wait for a second Ctrl-D.
TEST_F(Streams, OfATerminalEndAtTheFirstCtrlD) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) GTEST_SKIP() << "no terminals";
  const Bytes typed = "one\ntwo\n\x04late\n\x04\x04\x04";
  ASSERT_EQ(write(master, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
  ReadThrough all = read_through(examined({ptsname(master)}), 1, IoMode::read, 1);
  EXPECT_EQ(all.texts[0], "one\ntwo\n");
  close(master);
}

TEST(SplitQueue, HandsOutEachSplitOnce) {
  const std::vector<Source> sources = {{.path = "f", .end = 1000}};
  SplitQueue queue(
      {.sources = sources, .splits = plan_splits(sources, 10), .cuts = CutBytes("\n")});
  std::vector<std::thread> threads;
  std::vector<std::vector<i64>> begins(4);
  for (auto &mine : begins) {
    threads.emplace_back([&queue, &mine] {
      while (const Split *split = queue.claim().split) mine.push_back(split->begin);
    });
  }
  for (std::thread &thread : threads) thread.join();
  std::vector<i64> all, expected;
  for (const auto &mine : begins) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  for (const Split &split : plan_splits(sources, 10)) expected.push_back(split.begin);
  EXPECT_EQ(all, expected);
  EXPECT_EQ(queue.claim().split, nullptr);
}

// Three groups with 4, 1 and 3 splits; 0 is nearer to 2 than to 1.
class SplitQueueOfGroups : public testing::Test {
 protected:
  static std::vector<Split> splits() {
    std::vector<Split> splits;
    for (i64 i = 0; i < 8; ++i) splits.push_back({0, i * 10, i * 10 + 10});
    return splits;
  }

  std::string claim_all(i64 group) {
    std::string claimed;
    while (const Split *split = queue_.claim(group).split) claimed += claim_text(group, split);
    return claimed;
  }
  // "3 " for the fourth split, "3! " if it is stolen.
  std::string claim_text(i64 group, const Split *split) {
    return std::to_string(split->begin / 10) + (queue_.is_local(group, split) ? " " : "! ");
  }
  std::string claim(i64 group) {
    const Split *split = queue_.claim(group).split;
    return split == nullptr ? "none" : claim_text(group, split);
  }

  SplitQueue queue_{{.sources = {{.path = "f", .end = 80}},
                     .splits = splits(),
                     .cuts = CutBytes("\n"),
                     .shares = {{4, 5, 8}, {{2, 1}, {2, 0}, {0, 1}}}}};
};

TEST_F(SplitQueueOfGroups, GivesEachItsOwnThenThoseOfTheNearest) {
  EXPECT_EQ(claim_all(0), "0 1 2 3 5! 6! 7! 4! ");
  EXPECT_EQ(claim_all(1), "");
}

TEST_F(SplitQueueOfGroups, StealsInTheOrderOfTheThief) {
  EXPECT_EQ(claim_all(1), "4 5! 6! 7! 0! 1! 2! 3! ");
}

TEST_F(SplitQueueOfGroups, StealsWhatTheOwnerWouldTakeNext) {
  EXPECT_EQ(claim(0), "0 ");
  EXPECT_EQ(claim(1), "4 ");
  EXPECT_EQ(claim(1), "5! ");
  EXPECT_EQ(claim(2), "6 ");
  EXPECT_EQ(claim(1), "7! ");
  EXPECT_EQ(claim(2), "1! ");
  EXPECT_EQ(claim(0), "2 ");
  EXPECT_EQ(claim(2), "3! ");
  for (i64 group : {0, 1, 2}) EXPECT_EQ(claim(group), "none");
}

TEST_F(SplitQueueOfGroups, HandsOutEachSplitOnceToThreads) {
  std::vector<std::thread> threads;
  std::vector<std::vector<i64>> begins(6);
  for (size_t i = 0; i < begins.size(); ++i) {
    threads.emplace_back([this, i, &begins] {
      while (const Split *split = queue_.claim(static_cast<i64>(i % 3)).split) {
        begins[i].push_back(split->begin);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  std::vector<i64> all;
  for (const auto &mine : begins) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<i64>{0, 10, 20, 30, 40, 50, 60, 70}));
}

TEST_F(SplitQueueOfGroups, HasNoMoreOnceCancelled) {
  queue_.cancel();
  for (i64 group : {0, 1, 2}) EXPECT_EQ(claim(group), "none");
}

TEST(SplitQueue, MayHaveGroupsWithoutAShare) {
  SplitQueue queue({.sources = {{.path = "f", .end = 10}},
                    .splits = {{0, 0, 10}},
                    .cuts = CutBytes("\n"),
                    .shares = {{0, 0, 1}, {{1, 2}, {2, 0}, {0, 1}}}});
  const Split *split = queue.claim(0).split;
  ASSERT_NE(split, nullptr);
  EXPECT_FALSE(queue.is_local(0, split));
  EXPECT_FALSE(queue.is_local(1, split));
  EXPECT_TRUE(queue.is_local(2, split));
  EXPECT_EQ(queue.claim(2).split, nullptr);
}

TEST(SplitQueue, CountsWhatReadersStoleAndWhatWasNear) {
  TemporaryFolder folder;
  const std::vector<Source> sources = examined({folder.write("f", std::string(40, '\n'))});
  SplitQueue queue({.sources = sources,
                    .splits = {{0, 0, 10, 0, 1}, {0, 10, 20, 1, 7}, {0, 20, 30, 2, 1}, {0, 30, 40}},
                    .cuts = CutBytes("\n"),
                    .shares = {{1, 4}, {{1}, {0}}, {1, 7}},
                    .group_of = [](i64 worker) { return worker; }});
  ChunkReader reader(&queue, 1);
  for (;;) {
    Result<std::optional<Chunk>> chunk = next_chunk(&reader);
    ASSERT_TRUE(chunk.is_ok());
    if (!*chunk) break;
  }
  EXPECT_EQ(reader.counts().units, 4);
  EXPECT_EQ(reader.counts().stolen, 1);
  EXPECT_EQ(reader.counts().bytes, 40);
  EXPECT_EQ(reader.counts().placed_bytes, 30) << "the node of the last is unknown";
  EXPECT_EQ(reader.counts().near_bytes, 10);
}

TEST(SplitQueue, HasNoMoreOnceCancelled) {
  TemporaryFolder folder;
  const std::vector<Source> sources =
      examined({folder.write("f", std::string(100, '\n')), "/proc/self/status"});
  SplitQueue queue(
      {.sources = sources, .splits = plan_splits(sources, 10), .cuts = CutBytes("\n")});
  EXPECT_NE(queue.claim().split, nullptr);
  EXPECT_FALSE(queue.cancelled());
  queue.cancel();
  EXPECT_TRUE(queue.cancelled());
  EXPECT_EQ(queue.claim().split, nullptr);
  EXPECT_EQ(queue.claim().lane, -1);
}

TEST(SplitQueue, ComplainsOnceAboutEachSource) {
  std::vector<std::string> complaints;
  SplitQueue queue({.sources = {{.path = "a"}, {.path = "b"}},
                    .cuts = CutBytes("\n"),
                    .complain = [&](const Source &source, const Status &what) {
                      complaints.push_back(source.path + " " + what.message());
                    }});
  for (i64 source : {1, 0, 1, 0, 1}) queue.complain(source, Status::error("bad"));
  EXPECT_EQ(complaints, (std::vector<std::string>{"b bad", "a bad"}));
}

TEST(SplitQueue, CountsTheBytesOfFilesAndStreams) {
  TemporaryFolder folder;
  const std::vector<Source> sources = examined({folder.write("f", "1\n2\n3\n")});
  SplitQueue queue({.sources = sources, .splits = plan_splits(sources, 2), .cuts = CutBytes("\n")});
  ChunkReader reader(&queue);
  EXPECT_EQ(queue.bytes_claimed(), 0);
  for (;;) {
    Result<std::optional<Chunk>> chunk = next_chunk(&reader);
    ASSERT_TRUE(chunk.is_ok());
    if (!*chunk) break;
  }
  EXPECT_EQ(queue.bytes_claimed(), 6);
  EXPECT_EQ(reader.counts().units, static_cast<i64>(plan_splits(sources, 2).size()));
}

}  // namespace
}  // namespace mrc
