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

TEST_P(PluginsInCpp, HaveReducersOfSeveralFields) {
  Random random(first_seed());
  string text = "shop,price,qty\n";
  for (int i = 0; i < 400; ++i) {
    const auto price = one_in(random, 9) ? "" : std::to_string(random() % 100);
    text += fmt::format("s{},{},{}\n", random() % 7, price, random() % 50);
  }
  folder_.write("in", text);
  const string stats = "stats --force-plugin --plugin " MRC_TEST_PLUGINS "/in_cpp.so -k shop -a ";
  const string expected = shell(stats + "'sum(price*qty)/sum(qty)[has(price)]' in");
  EXPECT_EQ(shell(stats + "'wavg(price, qty)' in"), expected);
  EXPECT_EQ(
      shell(stats + "'mean=wavg(price, qty)' --by shop --to csv --header-out no --round 2 in"),
      shell(stats + "'mean=sum(price*qty)/sum(qty)[has(price)]' --by shop --to csv "
                    "--header-out no --round 2 in"));
  EXPECT_EQ(shell(stats + "'wavg(price, qty)[qty > 20]' in"),
            shell(stats + "'sum(price*qty)[qty > 20]/sum(qty)[qty > 20 and has(price)]' in"));
  EXPECT_EQ(shell(stats + "'w=wavg(price, qty+1),extent=extent(qty)' --by w --to json --top 1 in"),
            shell(stats + "'w=sum(price*(qty+1))/sum(qty+1)[has(price)],extent.least=min:qty,"
                          "extent.most=max:qty' --by w --to json --top 1 in"));
}

TEST_P(PluginsInCpp, RefuseOtherNumbersOfFields) {
  folder_.write("in", "a,b\n1,2\n");
  const string stats = "stats --force-plugin --plugin " MRC_TEST_PLUGINS "/in_cpp.so -a ";
  const auto error = [&](const string &aggregate) {
    EXPECT_EQ(shell(stats + "'" + aggregate + "' in", 2), "");
    return folder_.read("err");
  };
  const string wants = "wavg takes 2 values, as in wavg(X, Y)\n";
  EXPECT_EQ(error("wavg:a"), "mrc: error: stats: --aggregate: " + wants);
  EXPECT_EQ(error("wavg(a)"), "mrc: error: stats: --aggregate: " + wants);
  EXPECT_EQ(error("wavg"), "mrc: error: stats: --aggregate: " + wants);
  EXPECT_EQ(error("product(a, b)"),
            "mrc: error: stats: --aggregate: product needs a field, as in product:bytes\n");
  EXPECT_EQ(
      error("wavg(a, b)/2"),
      "mrc: error: stats: --aggregate: wavg(a, b)/2: wavg(a, b) is of a plugin, which makes a "
      "column by itself, and no part of an expression\n");
}

}  // namespace
}  // namespace mrc
