// Commands as mappers and reducers against pipes of the same commands, with sort(1) between them:
// random inputs give the same bytes with any number of workers, splits and memory.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 10;
#else
constexpr int kRounds = 60;
#endif

// Keys with blanks, of all lengths, and empty ones; some lines have no value.
string records(Random &random) {
  static const vector<string> kKeys = {"", "a", "b c", "B", "longer than a machine word", "é"};
  string text;
  const i64 keys = pick(random, 1, 6);
  for (i64 i = one_in(random, 8) ? 0 : pick(random, 1, 3000); i > 0; --i) {
    const string &key = kKeys[static_cast<size_t>(pick(random, 0, keys - 1))];
    text += one_in(random, 20) ? key : fmt::format("{}\t{}", key, pick(random, -9, 99));
    text += "\n";
  }
  if (!text.empty() && one_in(random, 4)) text.pop_back();
  return text;
}

class Map : public testing::Test {
 protected:
  string write_inputs() {
    vector<string> names;
    for (i64 i = pick(random_, 1, 4); i > 0; --i) {
      const string text = records(random_), name = fmt::format("n{}", names.size());
      folder_.write("plain" + name, text.empty() || text.back() == '\n' ? text : text + "\n");
      folder_.write(name, one_in(random_, 4) ? gzipped(text) : text);
      names.push_back(name);
    }
    return fmt::format("{}", fmt::join(names, " "));
  }
  string knobs() {
    static const vector<string> kKnobs = {"-j1",       "-j4 --split 50",         "-j2 --memory 4K",
                                          "-j7",       "-j3 --each-split",       "-j2 --split 700",
                                          "--pin -j2", "--each-split --split 9K"};
    return one_of(random_, kKnobs);
  }
  // Status and answer.
  string outcome(const string &command) const {
    const int status =
        run_shell(fmt::format("cd {} && {{ {}; }} >out 2>err", folder_.path("."), command));
    return fmt::format("{}\n{}--\n{}", WEXITSTATUS(status), folder_.read("out"),
                       folder_.read("err"));
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

struct Pair {
  const char *map;     // of `mrc map`
  const char *mapper;  // the same mapper
  const char *rest;    // after it: sorts, and reduces
};
const Pair kPairs[] = {
    {"--map cat --sorted", "cat", "LC_ALL=C sort -t '\t' -k 1,1"},
    {"--sorted", "cat", "LC_ALL=C sort -t '\t' -k 1,1"},
    {"--map 'tr a-z A-Z' --reduce 'uniq -c'", "LC_ALL=C tr a-z A-Z",
     "LC_ALL=C sort -t '\t' -k 1,1 | uniq -c"},
    {"--reduce 'cut -f 2'", "cat", "LC_ALL=C sort -t '\t' -k 1,1 | cut -f 2"},
    {"--map 'cut -f 1' --raw", "cut -f 1",
     "LC_ALL=C sort | uniq -c | sed 's/^ *\\([0-9]*\\) \\(.*\\)/\\2\t\\1/'"},
};

TEST_F(Map, DoesWhatPipesDo) {
  for (int round = 0; round < kRounds; ++round) {
    const string names = write_inputs();
    const Pair &pair = kPairs[pick(random_, 0, std::ssize(kPairs) - 1)];
    string files;
    for (size_t i = 0; i <= static_cast<size_t>(std::ranges::count(names, ' ')); ++i) {
      files += fmt::format(" plainn{}", i);
    }
    const string pipe = fmt::format("cat{} | {} | {}", files, pair.mapper, pair.rest);
    const string job =
        fmt::format("LC_ALL=C " MRC_BINARY " map {} {} {}", pair.map, knobs(), names);
    SCOPED_TRACE(job);
    ASSERT_EQ(outcome(job), outcome(pipe)) << pipe;
  }
}

// Commands that are associative and commutative, with values that they take.
const vector<string> kCombined = {
    "--map 'sed s/^/x/' --combine 'awk -f add' --reduce 'awk -f add'",
    "--map 'sed s/^/x/' --combine 'awk -f add' --reduce sum:2",
    "--map 'tr a-z A-Z' --combine 'sort -u | sort -s -t \"$(printf \"\\t\")\" -k 1,1' --reduce "
    "uniq",
    "--map cat --combine cat --reduce max:2,distinct:2",
    "--map cat --combine cat --sorted",
};

TEST_F(Map, AnswersTheSameWithACombiner) {
  folder_.write("add",
                "BEGIN {FS = OFS = \"\\t\"}\n"
                "NR > 1 && $1 != last {print last, n; n = 0}\n"
                "{last = $1; n += $2}\n"
                "END {if (NR) print last, n}\n");
  for (int round = 0; round < kRounds; ++round) {
    const string names = write_inputs();
    const string with = one_of(random_, kCombined);
    const size_t begin = with.find(" --combine "), end = with.find(" --", begin + 1);
    const string without = with.substr(0, begin) + with.substr(end);
    const string job = "LC_ALL=C " MRC_BINARY " map ";
    const string combined = fmt::format("{}{} {} {}", job, with, knobs(), names);
    SCOPED_TRACE(combined);
    ASSERT_EQ(outcome(combined), outcome(fmt::format("{}{} -j1 {}", job, without, names)));
  }
}

// A key has one reducer, wherever the sorted lines are divided.
TEST_F(Map, GivesAllLinesOfAKeyToOneReducer) {
  for (int round = 0; round < kRounds / 2; ++round) {
    folder_.write("n", records(random_));
    const string reducer = "awk -F '\t' '{n[$1]++} END {for (k in n) print k \"\t\" n[k]}'";
    const string whole = fmt::format("awk 1 n | {} | LC_ALL=C sort", reducer);
    const string job = fmt::format(MRC_BINARY " map --reduce \"$reducer\" -j3 --split {} n",
                                   pick(random_, 1, 2000));
    const string command = fmt::format("reducer=$(cat reducer); {} | LC_ALL=C sort", job);
    folder_.write("reducer", reducer);
    SCOPED_TRACE(job);
    ASSERT_EQ(outcome(command), outcome(whole));
  }
}

}  // namespace
}  // namespace mrc
