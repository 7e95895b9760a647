#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"
#include "unit/split/read_through.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mrc {
namespace {

class ChunkReaderOf : public testing::TestWithParam<IoMode> {
 protected:
  // One file, whose chunks must be the text.
  void expect_read(const std::string &text, i64 split_bytes, size_t readers,
                   const std::string &cut_bytes = "\n") {
    folder_.write("in", text);
    ReadThrough all = read_through(examined({folder_.path("in")}), split_bytes, GetParam(), readers,
                                   CutBytes(cut_bytes));
    EXPECT_TRUE(all.texts[0] == text) << "split " << split_bytes << " readers " << readers << " "
                                      << testing::PrintToString(text.substr(0, 300));
    EXPECT_EQ(all.bytes, static_cast<i64>(text.size()));
    EXPECT_EQ(all.complaints, std::vector<std::string>());
    expect_whole_records(all, cut_bytes);
  }

  TemporaryFolder folder_;
};

TEST_P(ChunkReaderOf, GivesEveryRecordOnceForEverySizeOfSplits) {
  const std::string text = "one\ntwo\n\n\nthree and more\n\nx\nsix six six six six six\n\n7\neight";
  for (const std::string &whole : {text, text + "\n", "\n" + text, text + "\n\n"}) {
    for (i64 split = 1; split <= static_cast<i64>(whole.size()) + 1; ++split) {
      for (size_t readers : {1, 2, 3}) expect_read(whole, split, readers);
    }
  }
}

TEST_P(ChunkReaderOf, CutsAtAnyOfSeveralBytes) {
  const std::string text = "a b\tc  d\n\ne ffffffffffff\t\tg h i";
  for (i64 split = 1; split <= static_cast<i64>(text.size()); ++split) {
    expect_read(text, split, 2, " \n\t");
    expect_read(text, split, 2, "\n");
    expect_read(text, split, 2, ";");
  }
}

TEST_P(ChunkReaderOf, TakesFilesWithoutAnyCut) {
  for (size_t size : {1, 2, 10, 100}) {
    for (i64 split : {1, 3, 1000}) expect_read(std::string(size, 'x'), split, 2);
  }
}

TEST_P(ChunkReaderOf, TakesRecordsThatSpanManySplitsAndStrides) {
  const std::string small = "a\nbb\nccc\n", large(5 << 20, 'L'), medium(300 << 10, 'M');
  for (const std::string &text :
       {large, small + large + "\n" + small, large + "\n" + medium + "\n" + small + medium,
        medium + "\n" + medium + "\n" + large + "\n"}) {
    for (i64 split : {64 << 10, 1 << 20, 100 << 20}) expect_read(text, split, 2);
  }
}

TEST_P(ChunkReaderOf, ReadsSplitsLargerThanAStride) {
  std::string text;
  for (int i = 0; i < 600000; ++i) text += std::to_string(i) + "\n";
  for (i64 split : {100000, 3 << 20, 100 << 20}) expect_read(text, split, 3);
}

TEST_P(ChunkReaderOf, EndsOnPageBoundaries) {
  for (size_t size : {4095, 4096, 4097, 8192}) {
    expect_read(std::string(size, 'x'), 1000, 1);
    expect_read(std::string(size - 1, 'x') + "\n", 4096, 2);
  }
}

TEST_P(ChunkReaderOf, ReadsRandomRecords) {
  for (u64 round = 0; round < 60; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text =
        random_text(&random, {"\n", "x", "word ", std::string(90, 'l'), "\n"}, 1 + random() % 9000);
    expect_read(text, 1 + static_cast<i64>(random() % (round % 2 == 0 ? 60 : 4000)),
                1 + random() % 4);
  }
}

TEST_P(ChunkReaderOf, ReadsSeveralFilesAndKeepsThemApart) {
  const std::vector<std::string> texts = {"a\nb\nc", "", "d\n", std::string(700, 'e'), "f\ng"};
  std::vector<std::string> paths;
  for (size_t i = 0; i < texts.size(); ++i) {
    paths.push_back(folder_.write(std::to_string(i), texts[i]));
  }
  for (i64 split : {1, 2, 5, 100, 10000}) {
    for (size_t readers : {1, 2, 4}) {
      ReadThrough all = read_through(examined(paths), split, GetParam(), readers);
      for (size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(all.texts[static_cast<i64>(i)], texts[i]) << "split " << split;
      }
      expect_whole_records(all);
    }
  }
}

// What was read of standard input before belongs to another process.
TEST_P(ChunkReaderOf, TakesTheBeginOfASourceForTheBeginOfARecord) {
  const std::string text = "skipped and\nkept one\nkept two\n";
  std::vector<Source> sources = examined({folder_.write("in", text)});
  for (i64 begin = 1; begin <= 20; ++begin) {
    sources[0].begin = begin;
    for (i64 split : {1, 3, 7, 100}) {
      ReadThrough all = read_through(sources, split, GetParam());
      EXPECT_EQ(all.texts[0], text.substr(static_cast<size_t>(begin))) << begin << " " << split;
    }
  }
}

TEST_P(ChunkReaderOf, LeavesAloneWhatWasAppended) {
  std::vector<Source> sources = examined({folder_.write("in", "one\ntwo")});
  folder_.write("in", "one\ntwo and more\nthree\n");
  for (i64 split : {1, 3, 100}) {
    EXPECT_EQ(read_through(sources, split, GetParam()).texts[0], "one\ntwo");
  }
}

TEST_P(ChunkReaderOf, ReadsWhatIsLeftOfAFileThatShrankAndComplainsOnce) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + "\n";
  for (size_t left : {size_t{0}, size_t{1}, size_t{50000}, size_t{50003}, text.size() - 1}) {
    for (i64 split : {3000, 40000, 1 << 21}) {
      std::vector<Source> sources = examined({folder_.write("in", text)});
      ASSERT_EQ(truncate(sources[0].path.c_str(), static_cast<off_t>(left)), 0);
      ReadThrough all = read_through(sources, split, GetParam());
      EXPECT_TRUE(all.texts[0] == text.substr(0, left)) << left << " by " << split;
      ASSERT_EQ(all.complaints.size(), 1u);
      EXPECT_NE(all.complaints[0].find("shrank while it was read"), std::string::npos);
      EXPECT_NE(all.complaints[0].find(" to " + std::to_string(left) + " bytes"), std::string::npos)
          << all.complaints[0];
    }
  }
}

TEST_P(ChunkReaderOf, ComplainsOnceAboutAFileThatVanishedAndReadsTheOthers) {
  std::vector<Source> sources =
      examined({folder_.write("a", "a\na\n"), folder_.write("b", std::string(1000, '\n')),
                folder_.write("c", "c\nc\n")});
  unlink(sources[1].path.c_str());
  for (i64 split : {1, 10, 10000}) {
    ReadThrough all = read_through(sources, split, GetParam(), 3);
    EXPECT_EQ(all.texts[0], "a\na\n");
    EXPECT_EQ(all.texts[2], "c\nc\n");
    EXPECT_EQ(all.complaints,
              std::vector<std::string>{sources[1].path + ": No such file or directory"});
  }
}

INSTANTIATE_TEST_SUITE_P(Io, ChunkReaderOf, testing::Values(IoMode::read, IoMode::mmap),
                         [](const auto &mode) {
                           return mode.param == IoMode::read ? "read" : "mmap";
                         });

}  // namespace
}  // namespace mrc
