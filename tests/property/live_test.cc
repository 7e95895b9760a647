// Interim answers against what they promise: the last answer is that of a job without them, counts
// only grow, and in order each answer is that of a front part of the input.
#include "support/compress.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace mrc {
namespace {

using std::string;
using Blocks = std::vector<string>;

// Lines "NUMBER GROUP SIZE", numbered from 1, so that a front part shows itself: it has as many
// lines as its largest number.
string numbered_lines(i64 lines) {
  string text;
  for (i64 i = 1; i <= lines; ++i) {
    text += std::to_string(i) + " g" + std::to_string(i * 7919 % 1009) + " " +
            std::to_string(i % 90) + ".5\n";
  }
  return text;
}

string output_of(const string &command) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_shell("(" + command + ") > " + folder.path("out")), 0) << command;
  return folder.read("out");
}

// Answers in a pipe, with an empty line after each but the last.
Blocks blocks_of(const string &text) {
  Blocks blocks;
  size_t at = 0;
  for (size_t end; (end = text.find("\n\n", at)) != text.npos; at = end + 2) {
    blocks.push_back(text.substr(at, end + 1 - at));
  }
  blocks.push_back(text.substr(at));
  return blocks;
}

std::map<string, i64> counts_in(const string &block) {
  std::map<string, i64> counts;
  std::istringstream rows(block);
  for (string row; std::getline(rows, row);) {
    const size_t tab = row.rfind('\t');
    counts[row.substr(0, tab)] = std::stoll(row.substr(tab + 1));
  }
  return counts;
}

class Live : public testing::Test {
 protected:
  void write(const string &name, const string &text) { folder_.write(name, text); }
  string path(const string &name) const { return folder_.path(name); }

  const TemporaryFolder folder_;
  const string lines_ = numbered_lines(100000);
};

TEST_F(Live, EndsWithTheAnswerOfAJobWithout) {
  write("in", lines_);
  const string jobs[] = {
      "count -k 2 -f fields --top 20",
      "count -k 2 -f fields --to csv",
      "stats -f fields -k 2 -a count,sum:3,p95:3,distinct:3,first:1,mode:3 --by count,2",
      "stats -f fields -k 2 -a count --total",
      "stats -f fields -k 2 -a 's=share:$3,argmax($3, $1),top(2, $3, count)' --having 's > 0'",
      "stats -f fields -k 2 -a 'list:1,distinct_list:3,mad:3,sessions($1, 3)'",
      "stats -f fields -k 2 --head 3 --by count",
      "stats -f fields -a mean:3,stddev:3 -w '$1 > 5'",
      "distinct -k 2 -f fields",
      "distinct -c",
      "hist 3 -f fields",
      "wordcount --top 5",
      "index --word g17",
      "count -k 2 -f fields --container array",
      "sort -k 3 -n --top 20",
      "sort --top 20",
      "sort -u -k 2 --top 20",
      "sort -f fields -k '$2,$1:num:desc' --top 100",
  };
  for (const string &job : jobs) {
    const string plain = output_of("$MRC " + job + " " + path("in"));
    for (const char *how : {"--live=20%", "--live=20%,order", "--live=30ms"}) {
      for (const char *threads : {"1", "3"}) {
        const Blocks blocks = blocks_of(
            output_of("$MRC " + job + " " + how + " -j " + threads + " --split 64K " + path("in")));
        EXPECT_EQ(blocks.back(), plain) << job << " " << how;
      }
    }
  }
}

// Long enough for several answers.
string many_lines() { return numbered_lines(2000000); }

TEST_F(Live, CountsOnlyGrow) {
  write("in", many_lines());
  const Blocks blocks =
      blocks_of(output_of("$MRC count -k 2 -f fields --live=4% -j 3 --split 16K " + path("in")));
  ASSERT_GE(blocks.size(), 3u);
  std::map<string, i64> before;
  for (const string &block : blocks) {
    std::map<string, i64> now = counts_in(block);
    for (const auto &[key, count] : before) EXPECT_LE(count, now[key]) << key;
    before = std::move(now);
  }
}

// Each answer has as many lines as its largest number, and nothing of what follows.
void expect_front_parts(const Blocks &blocks, size_t least) {
  EXPECT_GE(blocks.size(), least);
  for (const string &block : blocks) {
    std::istringstream row(block);
    i64 count = 0, largest = 0;
    row >> count >> largest;
    EXPECT_EQ(count, largest);
  }
}

TEST_F(Live, InOrderShowsFrontPartsOfTheInput) {
  const string lines = many_lines();
  const size_t half = lines.find('\n', lines.size() / 3) + 1;
  write("one", lines);
  write("two.1", lines.substr(0, half));
  write("two.2", lines.substr(half));
  write("packed.gz", gzipped(lines));
  const string job = "stats -f fields -a count,max:1 --live=5%,order -j 4 --split 16K ";
  for (const string &inputs : {path("one"), path("two.1") + " " + path("two.2")}) {
    expect_front_parts(blocks_of(output_of("$MRC " + job + inputs)), 3);
  }
  expect_front_parts(blocks_of(output_of("$MRC " + job + path("packed.gz"))), 2);
  const string by_time = "stats -f fields -a count,max:1 --live=20ms,order -j 4 ";
  expect_front_parts(blocks_of(output_of("(for i in 1 2 3; do cat " + path("two.1") +
                                         "; sleep 0.1; done | head -c " + std::to_string(half) +
                                         ") | $MRC " + by_time)),
                     1);
}

// The largest numbers of a front part are those at its end. The last front part may be the whole
// input, which the answer repeats.
TEST_F(Live, ShowsTheFirstRecordsOfFrontParts) {
  write("in", many_lines());
  const Blocks blocks = blocks_of(
      output_of("$MRC sort -k 1 -n -r --top 3 --live=5%,order -j 3 --split 16K " + path("in")));
  EXPECT_GE(blocks.size(), 3u);
  i64 before = 0;
  for (const string &block : blocks) {
    std::istringstream rows(block);
    i64 number = 0, last = 0;
    string rest;
    for (int i = 0; i < 3; ++i, last = number) {
      rows >> number;
      std::getline(rows, rest);
      const bool is_further = number > before || (&block == &blocks.back() && number == before);
      EXPECT_TRUE(i == 0 ? is_further : number == last - 1) << block;
      if (i == 0) before = number;
    }
  }
}

TEST_F(Live, OfAPipeShowsWhatHasArrived) {
  const Blocks blocks = blocks_of(
      output_of("(for i in 1 2 3; do echo a; sleep 0.5; done) | $MRC count --live=100ms"));
  ASSERT_GE(blocks.size(), 3u);
  EXPECT_EQ(blocks.front(), "a\t1\n");
  EXPECT_EQ(blocks.back(), "a\t3\n");
}

TEST_F(Live, SaysInJsonHowFarItIs) {
  write("in", lines_);
  const string text = output_of(
      "$MRC count -k 2 -f fields --top 1 --to json --live=25% -j 1 --split 64K " + path("in"));
  std::istringstream rows(text);
  double before = 0;
  for (string row; std::getline(rows, row);) {
    const size_t at = row.find("\"progress\":");
    ASSERT_NE(at, string::npos) << row;
    const double share = std::stod(row.substr(at + 11));
    EXPECT_GT(share, before);
    before = share;
  }
  EXPECT_EQ(before, 1);
  EXPECT_NE(output_of("(echo a; sleep 0.3) | $MRC count --to json --live=100ms")
                .find("\"count\":1,\"progress\":null}"),
            string::npos);
}

TEST_F(Live, ReplacesAFileThatIsAlwaysWhole) {
  write("in", lines_);
  const string job = "$MRC count -k 2 -f fields -j 2 --split 16K " + path("in");
  const string plain = output_of(job);
  const string command = job + " --live=5% --live-to " + path("now") + " > " + path("out");
  Background running("sh -c '" + command + "'");
  std::map<string, i64> before;
  for (int i = 0; i < 2000 && access(path("out").c_str(), F_OK) != 0; ++i) usleep(1000);
  for (int i = 0; i < 200; ++i, usleep(2000)) {
    std::ifstream in(path("now"), std::ios::binary);
    const string text{std::istreambuf_iterator<char>(in), {}};
    if (text.empty()) continue;
    EXPECT_EQ(text.back(), '\n');
    std::map<string, i64> now = counts_in(text);
    for (const auto &[key, count] : before) EXPECT_LE(count, now[key]);
    before = std::move(now);
  }
  EXPECT_EQ(running.wait(), 0);
  EXPECT_EQ(output_of("cat " + path("now")), plain);
  EXPECT_EQ(output_of("cat " + path("out")), plain) << "standard output has the last one alone";
}

// The first interrupt ends the input: the answer of what was read, and no error.
TEST_F(Live, EndsTheInputAtAnInterrupt) {
  const string fifo = path("fifo");
  ASSERT_EQ(run_shell("mkfifo " + fifo), 0);
  Background mrc("$MRC count --live=20ms " + fifo + " > " + path("out"));
  std::ofstream to(fifo);
  to << "a\na\n" << std::flush;
  for (int i = 0; i < 1000 && folder_.read("out").empty(); ++i) usleep(10000);
  mrc.send(SIGINT);
  EXPECT_EQ(mrc.wait(), 0);
  EXPECT_EQ(folder_.read("out"), "a\t2\n\na\t2\n");
}

TEST_F(Live, RefusesJobsWithoutGroups) {
  write("in", "a\n");
  for (const char *job :
       {"sort --live", "grep --live a", "select --live", "count --live --checkpoint x",
        "count --live --state x", "count --live --tile 1M", "sort -c --live",
        "count --live --container append-sort", "count --live=10% -"}) {
    EXPECT_EQ(WEXITSTATUS(run_shell("echo a | $MRC " + string(job) + " " + path("in") + " 2> " +
                                    path("err"))),
              2)
        << job;
    EXPECT_NE(folder_.read("err").find("--live: "), string::npos) << job;
  }
}

TEST_F(Live, GoesOnWithoutAnswersIfGroupsDoNotFitInMemory) {
  const string job = "count -k 1 -f fields --memory 32M -j 2 ";
  write("in", lines_ + lines_);
  const string plain = output_of("$MRC " + job + path("in"));
  const Blocks blocks =
      blocks_of(output_of("$MRC " + job + "--live=10% " + path("in") + " 2> " + path("said")));
  EXPECT_EQ(blocks.back(), plain);
}

// A plugin is shown what its workers hold back until their end, too (tests/plugins/deadly.c).
TEST_F(Live, ShowsAPluginItsRows) {
  write("numbers", numbered_lines(1000000));
  const string job = "$MRC run --force-plugin " MRC_TEST_PLUGINS "/deadly.so held -j2 --split 16K ";
  const string numbers = path("numbers");
  std::istringstream shown(output_of("{ head -n 500000 " + numbers +
                                     "; sleep 0.5; tail -n +500001 " + numbers + "; } | " + job +
                                     "--live=50ms 2>&1 >/dev/null"));
  i64 answers = 0, before = 0, last = 0;
  for (string row; std::getline(shown, row); ++answers) {
    i64 bytes = 0, lines = 0;
    ASSERT_EQ(sscanf(row.c_str(), "shown %ld %ld %ld", &last, &bytes, &lines), 3) << row;
    EXPECT_GE(lines, before) << row;
    EXPECT_LE(lines, 1000000) << row;
    before = lines;
  }
  EXPECT_GE(answers, 2);
  EXPECT_EQ(before, 1000000);
  EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace mrc
