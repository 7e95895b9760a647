#include "split/inner/stream_lane.h"

#include "support/compress.h"
#include "support/wait.h"
#include "unit/split/read_through.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

namespace mrc {
namespace {

using std::string;

// Reads all sources with threads; the chunks in the order of the input. So many bytes of a
// stream are wanted before it begins, as `head`.
ReadThrough read_by_threads(const std::vector<Source> &sources, size_t threads,
                            const CutBytes &cuts = CutBytes("\n"), size_t head_bytes = 0,
                            string *head = nullptr) {
  ReadThrough all;
  SplitQueue queue({.sources = sources,
                    .splits = plan_splits(sources, 1 << 20),
                    .cuts = cuts,
                    .complain = [&](const Source &, const Status &what) {
                      all.complaints.push_back(what.message());
                    }});
  if (head != nullptr) {
    queue.on_stream(
        [head](i64, Bytes bytes, bool) {
          *head = bytes;
          return std::nullopt;
        },
        [=](Bytes bytes, bool) { return bytes.size() < head_bytes; });
  }
  std::mutex mutex;
  std::vector<std::thread> readers;
  for (size_t i = 0; i < threads; ++i) {
    readers.emplace_back([&] {
      ChunkReader reader(&queue);
      i64 source = -1, offset = -1;
      for (;;) {
        Result<std::optional<Chunk>> chunk = next_chunk(&reader);
        if (!chunk.is_ok() || !*chunk) break;
        std::lock_guard lock(mutex);
        if ((*chunk)->source == source) {
          EXPECT_GT((*chunk)->offset, offset);
        }
        source = (*chunk)->source;
        offset = (*chunk)->offset;
        all.chunks.push_back({source, offset, string((*chunk)->bytes)});
      }
    });
  }
  for (std::thread &reader : readers) reader.join();
  std::sort(all.chunks.begin(), all.chunks.end(), [](const Passage &a, const Passage &b) {
    return std::pair(a.source, a.offset) < std::pair(b.source, b.offset);
  });
  for (const Passage &chunk : all.chunks) {
    EXPECT_EQ(chunk.offset, std::ssize(all.texts[chunk.source]));
    all.texts[chunk.source] += chunk.text;
  }
  return all;
}

// How texts are packed, and as text what the reader makes of it.
const std::vector<std::function<string(const string &)>> kPackers = {
    [](const string &text) { return gzipped(text); },
    [](const string &text) {
      return gzipped(text.substr(0, text.size() / 3)) + gzipped(text.substr(text.size() / 3));
    },
    [](const string &text) { return bgzipped(text, 65280); },
    [](const string &text) { return bgzipped(text, 700); },
    [](const string &text) { return bgzipped(text, 20000) + gzipped(""); },
    [](const string &text) {
      return bgzipped(text.substr(0, text.size() / 2), 3000) +
             gzipped(text.substr(text.size() / 2));
    },
    [](const string &text) { return zstandard(text); },
};

TEST(StreamLane, SaysWhatWasCompressed) {
  const TemporaryFolder folder;
  string with_long_lines = log_like(300000) + string(1500000, 'x') + "\n" + log_like(100000, 2);
  for (const string &text : {log_like(2000000), string("no newline"), string(), with_long_lines,
                             string(900000, 'y'), string(700000, '\n')}) {
    for (size_t packer = 0; packer < kPackers.size(); ++packer) {
      const string path = folder.write("in", kPackers[packer](text));
      for (size_t threads : {1, 2, 5}) {
        ReadThrough all = read_by_threads(examined({path}), threads);
        EXPECT_TRUE(all.texts[0] == text) << packer << " by " << threads;
        EXPECT_TRUE(all.complaints.empty());
        expect_whole_records(all);
      }
    }
  }
}

TEST(StreamLane, WaitsForTheFirstBytesThatTellTheFormatAndIsPromptThen) {
  const TemporaryFolder folder;
  const string path = folder.path("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::atomic<bool> handed_out{false};
  std::thread feeder([&] {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    for (const string piece : {"a", "b\nc", "d\nef\n"}) {
      EXPECT_EQ(write(fd, piece.data(), piece.size()), std::ssize(piece));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    wait_until("a chunk before the stream ends", [&] { return handed_out.load(); });
    EXPECT_EQ(write(fd, "g\n", 2), 2);
    close(fd);
  });
  SplitQueue queue({.sources = examined({path}),
                    .cuts = CutBytes("\n"),
                    .complain = [](const Source &, const Status &) {},
                    .idle = [] {}});
  string heads;
  queue.on_stream(
      [&](i64, Bytes head, bool whole) {
        EXPECT_FALSE(whole);
        heads += head;
        return std::nullopt;
      },
      [](Bytes head, bool) { return head.size() < 9; });
  ChunkReader reader(&queue);
  string text;
  for (;;) {
    Result<std::optional<Chunk>> chunk = next_chunk(&reader);
    ASSERT_TRUE(chunk.is_ok());
    if (!*chunk) break;
    text += (*chunk)->bytes;
    handed_out = true;
  }
  feeder.join();
  EXPECT_EQ(heads, "ab\ncd\nef\n");
  EXPECT_EQ(text, "ab\ncd\nef\ng\n");
}

// A second passes first, in which the rest of a fast stream arrives.
TEST(StreamLane, MakesDoWithFewBytesOfASlowStream) {
  const TemporaryFolder folder;
  const string path = folder.path("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::atomic<bool> begun{false};
  std::thread feeder([&] {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    for (const string piece : {"a\n", "b\nc"}) {
      EXPECT_EQ(write(fd, piece.data(), piece.size()), std::ssize(piece));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    wait_until("a format before the stream ends", [&] { return begun.load(); });
    EXPECT_EQ(write(fd, "d\n", 2), 2);
    close(fd);
  });
  SplitQueue queue({.sources = examined({path}),
                    .cuts = CutBytes("\n"),
                    .complain = [](const Source &, const Status &) {},
                    .idle = [] {}});
  string head;
  queue.on_stream(
      [&](i64, Bytes bytes, bool whole) {
        EXPECT_FALSE(whole);
        head = bytes;
        begun = true;
        return std::nullopt;
      },
      [](Bytes bytes, bool is_slow) { return bytes.size() < (is_slow ? 4 : 1000); });
  ChunkReader reader(&queue);
  string text;
  for (;;) {
    Result<std::optional<Chunk>> chunk = next_chunk(&reader);
    ASSERT_TRUE(chunk.is_ok());
    if (!*chunk) break;
    text += (*chunk)->bytes;
  }
  feeder.join();
  EXPECT_EQ(head, "a\nb\nc");
  EXPECT_EQ(text, "a\nb\ncd\n");
}

TEST(StreamLane, RefusesWhatIsNoText) {
  const TemporaryFolder folder;
  const string tar = filtered("tar -cO -C / etc/hostname", "");
  ASSERT_FALSE(tar.empty());
  for (const auto &packer : kPackers) {
    const string path = folder.write("in", packer(tar));
    for (const bool takes : {false, true}) {
      std::vector<string> complaints;
      const std::vector<Source> sources = examined({path});
      SplitQueue queue(
          {.sources = sources,
           .splits = plan_splits(sources, 1 << 20),
           .cuts = CutBytes("\n"),
           .complain = [&](const Source &,
                           const Status &what) { complaints.push_back(what.message()); },
           .takes_binary = [takes](i64) { return takes; }});
      ChunkReader reader(&queue);
      string text;
      for (;;) {
        Result<std::optional<Chunk>> chunk = next_chunk(&reader);
        ASSERT_TRUE(chunk.is_ok());
        if (!*chunk) break;
        text += (*chunk)->bytes;
      }
      const bool is_stream = sources[0].stream;
      EXPECT_EQ(text.empty(), is_stream && !takes);
      ASSERT_EQ(complaints.size(), is_stream && !takes);
      if (!complaints.empty()) {
        EXPECT_NE(complaints[0].find("is a tar archive, not plain text"), string::npos)
            << complaints[0];
      }
    }
  }
}

TEST(StreamLane, BeginsWithAsMuchAsIsWanted) {
  const TemporaryFolder folder;
  for (const string &text : {log_like(3000000), string(600000, 'x') + "\n" + log_like(900000),
                             string(900000, 'y'), string("short\n"), string()}) {
    for (size_t packer = 0; packer < kPackers.size(); ++packer) {
      const string path = folder.write("in", kPackers[packer](text));
      for (const size_t wanted : {1, 70000, 1000000}) {
        string head;
        ReadThrough all = read_by_threads(examined({path}), 3, CutBytes("\n"), wanted, &head);
        EXPECT_TRUE(all.texts[0] == text) << packer << " " << wanted;
        EXPECT_TRUE(text.starts_with(head)) << packer << " " << wanted;
        EXPECT_GE(head.size(), std::min(text.size(), wanted)) << packer;
        expect_whole_records(all);
      }
    }
  }
}

TEST(StreamLane, KeepsRecordsOfFixedSizeWhole) {
  const TemporaryFolder folder;
  const string text = log_like(1000003);
  for (size_t packer = 0; packer < kPackers.size(); ++packer) {
    const string path = folder.write("in", kPackers[packer](text));
    ReadThrough all = read_by_threads(examined({path}), 3, CutBytes::every(101));
    EXPECT_TRUE(all.texts[0] == text) << packer;
    for (const Passage &chunk : all.chunks) EXPECT_EQ(chunk.offset % 101, 0);
  }
}

TEST(StreamLane, ReadsManyFilesWithAnyNumberOfThreads) {
  const TemporaryFolder folder;
  std::vector<string> paths, texts;
  for (size_t i = 0; i < 40; ++i) {
    texts.push_back(log_like(i * i * 500, i));
    const string packed = i % 8 == 7 ? texts[i] : kPackers[i % 8](texts[i]);
    paths.push_back(folder.write(std::to_string(i), packed));
  }
  for (size_t threads : {1, 2, 7}) {
    ReadThrough all = read_by_threads(examined(paths), threads);
    for (size_t i = 0; i < texts.size(); ++i) {
      EXPECT_TRUE(all.texts[static_cast<i64>(i)] == texts[i]) << i << " by " << threads;
    }
  }
}

// One thread that reads a file as gzip, and not in ranges, is right.
TEST(StreamLane, UsesOfDamagedBlocksWhatOneReaderWould) {
  const TemporaryFolder folder;
  const string text = log_like(1500000), packed = bgzipped(text, 9000);
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    string damaged = packed;
    const size_t at = 20 + random() % (packed.size() - 20);
    if (round % 3 == 0) {
      damaged.resize(at);
    } else {
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    }
    const string path = folder.write("in", damaged);
    BufferedReader reader(damaged, 0, path);
    const std::unique_ptr<Stream> stream = open_gzip(&reader);
    string expected, error, buffer(50000, '\0');
    for (;;) {
      Result<i64> got = stream->read(buffer.data(), 50000);
      if (!got.is_ok()) error = got.status().message();
      if (!got.is_ok() || *got == 0) break;
      expected.append(buffer, 0, static_cast<size_t>(*got));
    }
    ReadThrough all = read_by_threads(examined({path}), 1 + random() % 4);
    EXPECT_TRUE(all.texts[0] == expected) << "byte " << at << " of round " << round;
    ASSERT_EQ(all.complaints.size(), error.empty() ? 0u : 1u);
    if (!error.empty()) {
      EXPECT_EQ(all.complaints[0], error);
    }
  }
}

TEST(StreamLane, CountsCompressedBytesAsTheyAreStored) {
  const TemporaryFolder folder;
  for (const auto &packer : kPackers) {
    const string packed = packer(log_like(500000));
    const std::vector<Source> sources = examined({folder.write("in", packed)});
    EXPECT_TRUE(sources[0].stream);
    EXPECT_EQ(sources[0].packed_bytes, static_cast<i64>(packed.size()));
    SplitQueue queue({.sources = sources, .cuts = CutBytes("\n")});
    ChunkReader reader(&queue);
    i64 bytes = 0;
    for (auto chunk = next_chunk(&reader); chunk.is_ok() && *chunk; chunk = next_chunk(&reader)) {
      bytes += std::ssize((*chunk)->bytes);
    }
    EXPECT_EQ(bytes, 500000);
    EXPECT_EQ(queue.bytes_claimed(), static_cast<i64>(packed.size()));
    EXPECT_EQ(queue.packed_bytes(), static_cast<i64>(packed.size()));
  }
}

TEST(StreamLane, TellsWhenAllBeforeASourceIsRead) {
  const TemporaryFolder folder;
  const std::vector<Source> sources =
      examined({folder.write("a", gzipped(log_like(600000))), folder.write("b", gzipped("b\n"))});
  SplitQueue queue({.sources = sources, .cuts = CutBytes("\n")});
  ChunkReader reader(&queue);
  EXPECT_TRUE(queue.all_claimed_before(0));
  EXPECT_FALSE(queue.all_claimed_before(1));
  std::vector<i64> order;
  for (auto chunk = next_chunk(&reader); *chunk; chunk = next_chunk(&reader)) {
    order.push_back((*chunk)->source);
    if ((*chunk)->source == 1) {
      EXPECT_TRUE(queue.all_claimed_before(1));
    }
  }
  EXPECT_EQ(order, (std::vector<i64>{0, 0, 0, 1}));
}

// Files are read first, and those dealt to several groups in no order.
TEST(StreamLane, TellsWhenAllFilesAreClaimed) {
  const TemporaryFolder folder;
  const std::vector<Source> sources = examined(
      {folder.write("a", "a\n"), folder.write("b", gzipped("b\n")), folder.write("c", "c\n")});
  const std::vector<Split> splits = {{.source = 0, .begin = 0, .end = 2},
                                     {.source = 2, .begin = 0, .end = 2}};
  for (const Shares &shares : {Shares{{2}, {{}}}, Shares{{1, 2}, {{1}, {0}}}}) {
    SplitQueue queue(
        {.sources = sources, .splits = splits, .cuts = CutBytes("\n"), .shares = shares});
    EXPECT_EQ(queue.all_claimed_before(0), shares.ends.size() == 1);
    EXPECT_FALSE(queue.all_claimed_before(1));
    EXPECT_FALSE(queue.all_claimed_before(2));
    while (queue.claim().split != nullptr) continue;
    EXPECT_TRUE(queue.all_claimed_before(1));
    EXPECT_FALSE(queue.all_claimed_before(2));
  }
}

TEST(StreamLane, SaysThatACommandHasFailedHoweverItIsPacked) {
  const TemporaryFolder folder;
  const string text = log_like(300000);
  for (size_t packer = 0; packer < kPackers.size(); ++packer) {
    const string path = folder.write("in", kPackers[packer](text));
    for (size_t threads : {1, 4}) {
      const ReadThrough all = read_by_threads({*examine(path, "cat {}; exit 9")}, threads);
      EXPECT_EQ(all.texts.at(0), text) << packer;
      ASSERT_EQ(all.complaints.size(), 1U) << packer;
      EXPECT_TRUE(all.complaints[0].ends_with("exit status 9")) << all.complaints[0];
    }
  }
}

// Each of them waits for the others.
TEST(StreamLane, RunsCommandsAtTheSameTime) {
  const TemporaryFolder folder;
  const string form = "cd " + folder.path("") +
                      "; : > {}; until [ -e 1 ] && [ -e 2 ] && [ -e 3 ]; do sleep 0.01; done; echo";
  std::vector<Source> sources;
  for (const char *name : {"1", "2", "3"}) sources.push_back(*examine(name, form));
  const ReadThrough all = read_by_threads(sources, 3);
  EXPECT_EQ(all.chunks.size(), 3U);
}

}  // namespace
}  // namespace mrc
