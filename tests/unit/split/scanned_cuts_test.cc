#include "split/scanned_cuts.h"

#include "support/temporary_folder.h"
#include "unit/fields/naive_csv_records.h"
#include "unit/map/padded_text.h"
#include "unit/scan/naive_csv.h"
#include "unit/scan/naive_json_scan.h"
#include "unit/split/read_through.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

namespace mrc {
namespace {

constexpr CsvBytes kCsv = {};

// Scanned by two threads, and joined.
std::unique_ptr<ScannedCuts> scanned(const std::vector<Source> &sources, i64 split_bytes,
                                     IoMode mode, CutRule rule = CutRule::csv(kCsv)) {
  auto cuts =
      std::make_unique<ScannedCuts>(sources, plan_splits(sources, split_bytes),
                                    std::vector<std::optional<CutRule>>(sources.size(), rule));
  std::thread other([&] { cuts->scan(mode); });
  cuts->scan(mode);
  other.join();
  cuts->join();
  return cuts;
}

class ScannedCutsOf : public testing::TestWithParam<IoMode> {
 protected:
  // The records of all chunks are those of the text.
  void expect_read(const std::string &text, i64 split_bytes, size_t readers = 2) {
    expect_read(examined({folder_.write("in", text)}), text, split_bytes, readers);
  }
  void expect_read(const std::vector<Source> &sources, const std::string &text, i64 split_bytes,
                   size_t readers) {
    const auto cuts = scanned(sources, split_bytes, GetParam());
    const ReadThrough all =
        read_through(sources, split_bytes, GetParam(), readers, CutBytes("\n"), cuts.get());
    EXPECT_TRUE(all.texts.empty() ? text.empty() : all.texts.at(0) == text);
    EXPECT_TRUE(all.complaints.empty());
    std::vector<NaiveRecord> records;
    for (const Passage &chunk : all.chunks) {
      // Only the first of a source may begin with a byte order mark.
      const std::string guard = chunk.offset == 0 ? "" : "\n";
      for (NaiveRecord &record : naive_records(guard + chunk.text, kCsv)) {
        records.push_back(std::move(record));
      }
    }
    EXPECT_TRUE(records == naive_records(text, kCsv))
        << "split " << split_bytes << " readers " << readers << " "
        << testing::PrintToString(text.substr(0, 300));
  }

  TemporaryFolder folder_;
};

TEST_P(ScannedCutsOf, GiveTheSameRecordsForEverySizeOfSplits) {
  for (const std::string text :
       {"a,b\n\"c\nd\",e\n\"\n\n\",\"\"\"\n\"\n\nf\n", "\"\n\"", "\"a\"\"\n\"\"b\"\nx\"\ny\"\n",
        "\"a\"b\"\nc\n\"d\n\"", "\xEF\xBB\xBF\"a\nb\"\nc\n", "none,at\nall\n", "\n\n\"\n\"\n\n"}) {
    for (i64 split = 1; split <= std::ssize(text) + 1; ++split) {
      for (size_t readers : {1, 3}) expect_read(text, split, readers);
    }
  }
}

TEST_P(ScannedCutsOf, LoseOnlyTheLineOfAQuoteThatNothingCloses) {
  for (const std::string text : {"a\n\"b\nc\nd\n", "\"a\nb\"\nx,\"c\nd,\"\"\ne\n\"\"\"\"\nf\n",
                                 "\"", "a\n\"", "\"\"\"\n\"\"\na\n"}) {
    for (i64 split = 1; split <= std::ssize(text) + 1; ++split) expect_read(text, split);
  }
  std::string long_text = "1,2\n\"3\n";
  for (int i = 0; i < 60000; ++i) long_text += std::to_string(i) + ",\"\"\n";
  for (i64 split : {1000, 100000}) expect_read(long_text, split);
}

TEST_P(ScannedCutsOf, FindRecordsThatSpanManySplitsAndStrides) {
  const std::string small = "a\n\"b\nb\"\n", large = "\"" + std::string(1 << 20, '\n') + "\"\n",
                    medium = "x,\"" + std::string(300 << 10, '\n') + "\"\"\"\n";
  for (const std::string &text :
       {large, small + large + small, large + medium + small, medium + medium + large}) {
    for (i64 split : {60000, 1 << 18, 100 << 20}) expect_read(text, split);
  }
}

TEST_P(ScannedCutsOf, AreExactForRandomText) {
  const std::vector<std::string> calm = {"\n", ",", "some", "\"a,\nb\"", "\"\"", ",\"x\"\"\n\",",
                                         "\n"};
  const std::vector<std::string> wild = {"\"",   ",",   "\n",  "a",   "\"\"",
                                         "\r\n", ",\"", "\",", "text"};
  for (u64 round = 0; round < 80; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text = random_text(&random, round % 2 == 0 ? calm : wild,
                                         1 + random() % (round % 8 == 0 ? 9000 : 200));
    for (i64 split : {i64{1}, i64{2}, i64{3}, i64{7}, i64{64}, 1 + std::ssize(text) / 3}) {
      expect_read(text, split, 1 + random() % 3);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(ScannedCutsOf, LeaveFilesWithoutQuotesToTheOtherWay) {
  const std::vector<Source> sources =
      examined({folder_.write("a", "a,b\n"), folder_.write("b", "a,\"b\n\"\n")});
  const auto cuts = scanned(sources, 3, GetParam());
  EXPECT_FALSE(cuts->cuts(0));
  EXPECT_TRUE(cuts->cuts(1));
}

TEST_P(ScannedCutsOf, PassOverFilesThatVanished) {
  const std::vector<Source> sources = examined({folder_.write("in", "a,\"b\n\"\n")});
  unlink(sources[0].path.c_str());
  const auto cuts = scanned(sources, 3, GetParam());
  const ReadThrough all = read_through(sources, 3, GetParam(), 2, CutBytes("\n"), cuts.get());
  EXPECT_EQ(all.complaints.size(), 1u);
}

TEST_P(ScannedCutsOf, CutStreamsBetweenRecords) {
  if (GetParam() == IoMode::mmap) GTEST_SKIP() << "streams are not mapped";
  std::string text = "\xEF\xBB\xBF\"x\ny\"\n";
  for (int i = 0; i < 40000; ++i) text += "\"" + std::to_string(i) + "\n\"\"\n\",b\n";
  text += "\"" + std::string(1 << 20, '\n') + "\"\nlast,\"li\nne\"";
  const std::string path = folder_.path("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  for (const std::string &fed : {text, text + "\nunclosed,\"\nline\n"}) {
    std::thread writer([&] {
      int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      for (size_t at = 0, size = 1; at < fed.size(); size = size * 3 % 50021 + 1) {
        ssize_t put = write(fd, fed.data() + at, std::min(size, fed.size() - at));
        if (put <= 0) break;
        at += static_cast<size_t>(put);
      }
      close(fd);
    });
    expect_read(examined({path}), fed, 1, 2);
    writer.join();
  }
}

// All chunks but the first one begin after a record, and together they are the text.
void expect_values_whole(const ReadThrough &all, const std::string &text, i64 depth) {
  std::string read;
  for (const Passage &chunk : all.chunks) {
    const bool last = &chunk == &all.chunks.back();
    const JsonState before{0, chunk.offset == 0 ? depth : 0};
    const NaiveJsonScan naive = naive_json_scan(before, chunk.text, depth < -1);
    const bool ends = !naive.ends.empty() && naive.ends.back() == std::ssize(chunk.text) - 1;
    ASSERT_TRUE(last || ends) << testing::PrintToString(chunk.text);
    read += chunk.text;
  }
  EXPECT_EQ(read, text.substr(0, read.size()));
  const std::string rest = text.substr(read.size());
  EXPECT_EQ(rest.find_first_not_of(" \n],"), std::string::npos) << rest;
}

// An array, if it is wanted, and an object around it, whose other members are no records.
std::string random_objects(std::mt19937_64 *random, i64 depth) {
  const bool in_array = depth < 0, in_object = depth < -1;
  const std::vector<std::string> objects = {
      "{}", "{\"a\": \"}\\\"{\"}", "{\n  \"b\": [1, {\"c\": [\"]\"]}]\n}",
      "{\"d\": \"" + std::string((*random)() % 200, 'd') + "\\\\\"}"};
  std::string text = in_array ? "\xEF\xBB\xBF" : "";
  text += in_object ? "{\"of\": [" : in_array ? "[\n" : "";
  for (u64 i = (*random)() % 60; i > 0; --i) {
    text += objects[(*random)() % objects.size()];
    if (in_array) text += i > 1 ? "," : "";
    if ((*random)() % 2 == 0) text += "\n ";
  }
  if (in_object && (*random)() % 2 == 0) text += "], \"b\": [{}, {\"c\": [{}]}";
  return text + (in_object ? "]}" : in_array ? "]" : "") + "\n";
}

TEST_P(ScannedCutsOf, CutJsonAfterObjects) {
  for (u64 round = 0; round < 60; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const i64 depth = -static_cast<i64>(round % 3);
    const std::string text = random_objects(&random, depth);
    const std::vector<Source> sources = examined({folder_.write("in", text)});
    for (i64 split : {i64{1}, i64{2}, i64{7}, i64{64}, 1 + std::ssize(text) / 3}) {
      const auto cuts = scanned(sources, split, GetParam(), CutRule::json(depth));
      const ReadThrough all =
          read_through(sources, split, GetParam(), 1 + random() % 3, CutBytes("\n"), cuts.get());
      expect_values_whole(all, text, depth);
      ASSERT_FALSE(HasFailure()) << "split " << split << " " << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Io, ScannedCutsOf, testing::Values(IoMode::read, IoMode::mmap),
                         [](const auto &mode) {
                           return mode.param == IoMode::read ? "read" : "mmap";
                         });

// Appending in pieces is appending at once, and both are what the automaton does.
TEST(CutTransfer, IsThatOfTheAutomaton) {
  for (u64 round = 0; round < 300; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::vector<std::string> pieces = {"\"", ",", "\n", "a", "text", std::string(900, 'x')};
    const PaddedText padded(random_text(&random, pieces, random() % 5000));
    const Bytes text = padded.text();
    const size_t cut = random() % (text.size() + 1);
    CutTransfer transfer;
    transfer.append(text.substr(0, cut), 100, CutRule::csv(kCsv));
    transfer.append(text.substr(cut), 100 + static_cast<i64>(cut), CutRule::csv(kCsv));
    for (size_t i = 0; i < kCsvStates; ++i) {
      const NaiveCsv naive = naive_csv(static_cast<CsvState>(i), text, kCsv);
      ASSERT_EQ(transfer.to[i], CutState{static_cast<u8>(naive.state)});
      ASSERT_EQ(transfer.opened[i], naive.last_open < 0 ? -1 : 100 + naive.last_open);
    }
  }
}

TEST(CutTransfer, IsThatOfJson) {
  for (u64 round = 0; round < 300; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::string> pieces = {"\"", "{", "}", "\\", "[]", std::string(900, 'x')};
    if (round % 2 == 0) pieces.emplace_back("\n");
    const PaddedText padded(random_text(&random, pieces, random() % 5000));
    const Bytes text = padded.text();
    const size_t cut = random() % (text.size() + 1);
    const i64 depth = -static_cast<i64>(round % 3);  // -2: the lowest depth is kept
    CutTransfer transfer;
    transfer.append(text.substr(0, cut), 0, CutRule::json(depth));
    transfer.append(text.substr(cut), static_cast<i64>(cut), CutRule::json(depth));
    for (u8 mode = 0; mode < kJsonModes; ++mode) {
      const JsonState naive = naive_json_scan({mode, 5}, text).state;
      ASSERT_EQ(transfer({mode, 5}), (CutState{naive.mode, naive.depth}));
      if (depth == -2) {
        ASSERT_EQ(transfer.low[mode] < -5, naive.low < 0);
      }
    }
  }
}

}  // namespace
}  // namespace mrc
