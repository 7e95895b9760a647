// select --sample against a naive draw, and that each record is as likely as the others.
#include "map/draw.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mrc {
namespace {

using std::string;

struct Record {
  u64 position;
  string text;
};

// Returns the text of the records of the smallest ranks, in the order of the input.
string naive(std::vector<Record> records, u64 seed, size_t wanted) {
  std::ranges::sort(records, {}, [&](const Record &r) { return rank_of(r.position, seed); });
  records.resize(std::min(wanted, records.size()));
  std::ranges::sort(records, {}, &Record::position);
  string text;
  for (const Record &record : records) text += record.text;
  return text;
}

TEST(Sample, IsThatOfANaiveReference) {
  TemporaryFolder folder;
  for (u64 seed = first_seed(); seed < first_seed() + 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Record> records;
    string names;
    for (i64 source = 0; source < static_cast<i64>(random() % 3 + 1); ++source) {
      string text;
      for (u64 lines = random() % 400; lines > 0; --lines) {
        const string line = string(random() % 9, 'x') + std::to_string(random() % 99) + "\n";
        if (line[0] != 'x') records.push_back({position_of(source, std::ssize(text)), line});
        text += line;
      }
      folder.write(std::to_string(source), text);
      names += " " + std::to_string(source);
    }
    const u64 drawn = random() % 50;
    const string expected = naive(records, seed, drawn);
    for (const char *way : {"-j1", "-j4 --split 7", "-j2 --split 512 --memory 64K", "--isolate"}) {
      EXPECT_EQ(run_shell("cd " + folder.path(".") + "; $MRC select -w '$1 !~ \"^x\"' --from " +
                          "lines --sample " + std::to_string(drawn) + " --seed " +
                          std::to_string(seed) + " " + way + names + " >out 2>err"),
                0)
          << folder.read("err");
      EXPECT_EQ(folder.read("out"), expected) << way;
    }
  }
}

// The counts of 20 records in 4,000 draws of 5: each is 1,000 on average, with a standard deviation
// of 27.
TEST(Sample, DrawsEachRecordEquallyOften) {
  std::vector<int> drawn(20, 0);
  for (u64 seed = first_seed(); seed < first_seed() + 4000; ++seed) {
    std::vector<std::pair<u64, size_t>> ranks;
    for (size_t i = 0; i < drawn.size(); ++i) {
      ranks.emplace_back(rank_of(position_of(1, static_cast<i64>(i) * 10), seed), i);
    }
    std::ranges::sort(ranks);
    for (size_t i = 0; i < 5; ++i) ++drawn[ranks[i].second];
  }
  for (const int times : drawn) {
    EXPECT_GT(times, 1000 - 6 * 28);
    EXPECT_LT(times, 1000 + 6 * 28);
  }
}

}  // namespace
}  // namespace mrc
