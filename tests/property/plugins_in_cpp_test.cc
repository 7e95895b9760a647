// A plugin that is written with mrc.hpp (tests/plugins/in_cpp.cc), in several ways of running it.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mrc {
namespace {

using std::string;

class PluginsInCpp : public testing::TestWithParam<const char *> {
 protected:
  string shell(const string &words, int status = 0) const {
    const string command =
        fmt::format("cd {} && $MRC {} {} >out 2>err", folder_.path("."), words, GetParam());
    EXPECT_EQ(run_shell(command), status << 8) << command << "\n" << folder_.read("err");
    return folder_.read("out");
  }
  string run(const string &words, int status = 0) const {
    return shell("run --force-plugin " MRC_TEST_PLUGINS "/in_cpp.so " + words + " in", status);
  }

  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Ways, PluginsInCpp,
                         testing::Values("-j1", "-j8 --split 7", "-j2 --memory 64K --split 512"));

TEST_P(PluginsInCpp, CountWhatANaiveProgramCounts) {
  Random random(first_seed());
  string text;
  std::map<char, std::pair<int, int>> initials;  // words, and those of one byte
  const int lines = 300;
  for (int line = 0; line < lines; ++line) {
    for (auto words = random() % 5; words > 0; --words) {
      const string word(1 + random() % 3, static_cast<char>('a' + random() % 20));
      text += word + (words > 1 ? " " : "");
      ++initials[word[0]].first;
      initials[word[0]].second += word.size() == 1;
    }
    text += '\n';
  }
  folder_.write("in", text);
  string expected;
  for (const auto &[initial, counts] : initials) {
    const auto [words, lacking] = counts;
    expected += fmt::format("{}\t{}\t{}/{}\n", initial, words, lacking, words);
  }
  EXPECT_EQ(run(""), expected + fmt::format("lines\t{}\t\n", lines));
}

TEST_P(PluginsInCpp, AskForRounds) {
  if (string(GetParam()).find("memory") != string::npos) return;  // rounds want all rows in it
  folder_.write("in", "ab a b\n# x\nbc  cd\n\nd");
  const string rows = "a\t2\t1/2\nb\t2\t1/2\nc\t1\t0/1\nd\t1\t1/1\nlines\t5\t\n";
  EXPECT_EQ(run("--set rounds=3"), rows);
  const string note = "mrc: info: plugin " MRC_TEST_PLUGINS "/in_cpp.so: 5 rows, the last: lines\n";
  EXPECT_EQ(folder_.read("err"), note + note + note +
                                     "mrc: warning: 1 of 5 records is left out; the first: in:2: a "
                                     "comment: # x\n");
}

TEST_P(PluginsInCpp, EndTheJobWithTheTextOfAnException) {
  folder_.write("in", "a\nb\n");
  EXPECT_EQ(run("--set refused=b", 2), "");
  EXPECT_NE(folder_.read("err").find("job initials: map: a line is refused"), string::npos);
  EXPECT_EQ(run("--set refused=nothing", 2), "");
  EXPECT_NE(folder_.read("err").find("job initials: open: there is nothing to refuse"),
            string::npos);
}

TEST_P(PluginsInCpp, HaveReducersOfStats) {
  folder_.write(
      "in", "{\"k\":\"a\",\"v\":1}\n{\"k\":\"b\"}\n{\"k\":\"c\",\"v\":8}\n{\"k\":\"a\",\"v\":4}\n");
  const string stats = "stats --force-plugin --plugin " MRC_TEST_PLUGINS "/in_cpp.so -k k -a ";
  EXPECT_EQ(shell(stats + "product:v,lacking:v in"), "a\t4\t0/2\nb\t\t1/1\nc\t8\t0/1\n");
  EXPECT_EQ(shell(stats + "product:v --to json in"),
            "{\"k\":\"a\",\"product:v\":4}\n{\"k\":\"b\",\"product:v\":null}\n"
            "{\"k\":\"c\",\"product:v\":8}\n");
}

}  // namespace
}  // namespace mrc
