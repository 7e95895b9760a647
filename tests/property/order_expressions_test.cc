// --by and --having with an expression of each column of each job, of mrc and of plugins: the same
// rows come, in the order of the lengths or numbers that the plain answer shows.
#include "base/int.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Cells = vector<string>;

Cells split(const string &text, char at) {
  Cells cells;
  std::istringstream all(text);
  for (string cell; std::getline(all, cell, at);) cells.push_back(cell);
  if (text.ends_with(at) && at != '\n') cells.emplace_back();
  return cells;
}

class OrderExpressions : public testing::TestWithParam<const char *> {
 protected:
  OrderExpressions() {
    string fields, bars;
    for (int i = 0; i < 300; ++i) {
      fields += fmt::format("k{} {} {}\n", i * 7 % 13, i * 31 % 101 - 50, string(1 + i % 7, 'w'));
      bars += fmt::format("k{}|{}|{}|t{}\n", i * 7 % 13, i % 19 - 9, i % 5, string(i % 11, 'x'));
    }
    folder_.write("fields", fields);
    folder_.write("bars", bars);
    folder_.write("documents", "d1\tw ww www\nd2\tww k\n");
    folder_.write("points", "0 0\n10 10\n0 1\n11 10\n1 0\n7 7\n");
    folder_.write("more", "w ww www\nwwww k1 k2\n");
    folder_.write("log",
                  "2026-01-01T00:00:00Z a login\n2026-01-01T00:00:07Z bb login\n"
                  "2026-01-01T00:01:00Z a logout\n2026-01-01T00:02:00Z bb logout\n");
  }
  // Its status. Its rows are in the file "out".
  int run(const string &more) const {
    string job = GetParam();
    for (size_t at; (at = job.find('@')) != string::npos;) job.replace(at, 1, MRC_TEST_PLUGINS);
    for (size_t at; (at = job.find('#')) != string::npos;) job.replace(at, 1, MRC_PLUGINS);
    const int status = run_shell(fmt::format("cd {} && MRC_PLUGIN_PATH=" MRC_PLUGINS
                                             " $MRC {} --to tsv --header-out yes {} >out 2>err",
                                             folder_.path("."), job, more));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  vector<Cells> rows() const {
    vector<Cells> rows;
    for (const string &line : split(folder_.read("out"), '\n')) rows.push_back(split(line, '\t'));
    return rows;
  }
  // The number that orders a row, if the cell shows it as it is: a number, or the length of a text.
  static std::optional<double> figure(const string &form, const string &cell) {
    char *end = nullptr;
    const double number = std::strtod(cell.c_str(), &end);
    const bool is_number = !cell.empty() && *end == '\0';
    if (cell.empty() || form.starts_with("length") == is_number) return {};
    return is_number ? number : static_cast<double>(cell.size());
  }
  void expect_order(const string &form, size_t column, vector<Cells> plain) {
    vector<Cells> ordered = rows();
    for (size_t i = 2; i < ordered.size(); ++i) {
      const auto before = figure(form, ordered[i - 1][column]);
      const auto after = figure(form, ordered[i][column]);
      if (before && after) {
        EXPECT_GE(*before, *after) << form << ": row " << i;
      }
    }
    std::ranges::sort(plain);
    std::ranges::sort(ordered);
    EXPECT_EQ(ordered, plain) << form;
  }

  TemporaryFolder folder_;
};

TEST_P(OrderExpressions, ShowColumnsAsTheAnswerDoes) {
  const int status = run("");
  ASSERT_EQ(status, 0) << folder_.read("err");
  const vector<Cells> plain = rows();
  ASSERT_GT(plain.size(), 1u);
  int taken = 0;
  for (size_t column = 0; column < plain[0].size(); ++column) {
    for (const string before : {"length(", "0 + ("}) {
      const string form = fmt::format("{}$\"{}\")", before, plain[0][column]);
      const int ordered = run(fmt::format("--by '{}'", form));
      EXPECT_TRUE(ordered == 0 || ordered == 2) << form << ordered << folder_.read("err");
      if (ordered != 0) continue;
      ++taken;
      expect_order(form, column, plain);
    }
  }
  EXPECT_GT(taken, 0) << folder_.read("err");
}

TEST_P(OrderExpressions, SelectGroupsByColumnsOrAreRefused) {
  ASSERT_EQ(run(""), 0);
  vector<Cells> plain = rows();
  const Cells names = plain[0];
  std::ranges::sort(plain);
  for (const string &name : names) {
    const int status = run(fmt::format("--having 'length($\"{}\") >= 0'", name));
    EXPECT_TRUE(status == 0 || status == 2) << name << status << folder_.read("err");
    vector<Cells> chosen = rows();
    std::ranges::sort(chosen);
    if (status == 0) {
      EXPECT_EQ(chosen, plain) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Verbs, OrderExpressions,
    testing::Values(
        "count -f fields -k 1 fields", "count -f fields -k 3,1 fields", "wordcount more",
        "distinct -f fields -k 1,3 fields",
        "stats -f fields -k 1 -a "
        "count,sum:2,mean:2,stddev:2,min:2,max:2,p50:2,p50~:2,mode:3,unique:3,distinct:2,"
        "distinct~:2,first:3,last:3,share,'x=sum($2)/count','argmax($2,$3)' fields",
        "index more", "online -f fields -k 2 --time 1 --event 3 log"));
INSTANTIATE_TEST_SUITE_P(
    Aggregates, OrderExpressions,
    testing::Values("stats --force-plugin --plugin @/every_job.so -f fields -k 1 -a "
                    "quarters:2,extent:2,letters:3,folded:2,chained:3,seen fields",
                    "stats --plugin #/skeleton.so -f fields -k 1 -a longest:3 fields",
                    "stats --plugin #/integer_sum.so -f fields -k 1 -a integer_sum:2 fields"));
INSTANTIATE_TEST_SUITE_P(
    Jobs, OrderExpressions,
    testing::Values("run --force-plugin @/every_job.so lines bars",
                    "run --force-plugin @/every_job.so bytes bars",
                    "run --force-plugin @/every_job.so splits bars",
                    "run --force-plugin @/every_job.so integers bars",
                    "run --force-plugin @/every_job.so tally bars",
                    "run --force-plugin @/every_job.so falling bars",
                    "run --force-plugin @/every_job.so both bars",
                    "run --force-plugin @/every_job.so formatted bars",
                    "run --force-plugin @/every_job.so rounds --set rounds=2 bars",
                    "term_vector --set document=first --set least=1 documents",
                    "term_vector more bars", "word_count more", "kmeans --set clusters=3 points"));

}  // namespace
}  // namespace mrc
