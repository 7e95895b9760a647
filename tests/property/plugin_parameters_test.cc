// Reducers of plugins with parameters, and those that are found by their names: against a naive
// program, in all ways in which states are made, kept and merged.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

namespace mrc {
namespace {

using std::string;

class PluginParameters : public testing::Test {
 protected:
  PluginParameters() {
    string rows = "k,x,t\n";
    for (int i = 0; i < 3000; ++i) {
      const int x = i * 7919 % 1009 - 300;
      rows += fmt::format("k{},{},t{}\n", i % 7, x, i * 31 % 97);
      numbers_[fmt::format("k{}", i % 7)].push_back(x);
      texts_[fmt::format("k{}", i % 7)] += fmt::format("t{}", i * 31 % 97).starts_with("t1");
    }
    folder_.write("in.csv", rows);
  }
  // Returns what `mrc stats` prints.
  string stats(const string &options, const string &input = "in.csv") {
    return run("stats --force-plugin --plugin " MRC_TEST_PLUGINS "/parameters.so " + options + " " +
               input);
  }
  string run(const string &arguments) {
    const int status =
        run_shell("cd " + folder_.path(".") + " && $MRC " + arguments + " >out 2>err");
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return folder_.read("out");
  }
  string error() const { return folder_.read("err"); }

  string trimmed(const string &key, int percent, bool positive = false) const {
    std::vector<double> sorted = numbers_.at(key);
    if (positive) std::erase_if(sorted, [](double x) { return x <= 0; });
    std::sort(sorted.begin(), sorted.end());
    const auto cut = std::ssize(sorted) * percent / 100;
    double sum = 0;
    for (auto i = cut; i < std::ssize(sorted) - cut; ++i) sum += sorted[static_cast<size_t>(i)];
    return fmt::format("{:.3f}", sum / static_cast<double>(std::ssize(sorted) - 2 * cut));
  }
  int64_t above(const string &key, double limit) const {
    return std::ranges::count_if(numbers_.at(key), [&](double x) { return x > limit; });
  }
  // The rows of kAll, by a naive program.
  string expected() const {
    string rows;
    for (const auto &[key, numbers] : numbers_) {
      rows += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", key, trimmed(key, 5), trimmed(key, 40),
                          trimmed(key, 10, true), above(key, 0), above(key, -2.5), texts_.at(key));
    }
    return rows;
  }
  static constexpr const char *kAll =
      "-k k -a 'tmean(x, 5),tmean(x, 40),tmean(x)[x > 0],above:x,above(x, -2.5),begins(t, \"t1\")'";

  TemporaryFolder folder_;
  std::map<string, std::vector<double>> numbers_;
  std::map<string, int64_t> texts_;
  int status_ = -1;
};

TEST_F(PluginParameters, AreThoseOfEachAggregate) {
  const string rows = expected();
  for (const string how : {"-j1", "-j8 --split 7", "-j2 --split 512 --memory 4K", "-j3 --split 1K",
                           "-j2 --isolate --split 1K"}) {
    EXPECT_EQ(stats(string(kAll) + " " + how), rows) << how << error();
    EXPECT_EQ(status_, 0) << how;
  }
}

TEST_F(PluginParameters, AreInTheNamesOfColumns) {
  EXPECT_TRUE(stats("-a 'above(x, 700),n=above(x, 708),above:x' --to csv")
                  .starts_with("\"above(x, 700)\",n,above:x\n"))
      << folder_.read("out");
}

TEST_F(PluginParameters, KeepStatesApart) {
  const string first = stats(string(kAll) + " --state kept");
  EXPECT_EQ(first, expected()) << error();
  EXPECT_EQ(stats(string(kAll) + " --state kept"), expected());
  stats("-k k -a 'above(x, 5)' --state one");
  EXPECT_EQ(status_, 0) << error();
  stats("-k k -a 'above(x, 10)' --state one");
  EXPECT_EQ(status_, 2) << "states of another parameter";
  stats("-k k -a 'above(x, 5)' --checkpoint two");
  EXPECT_EQ(status_, 0) << error();
}

TEST_F(PluginParameters, AreThoseOfPartials) {
  const string rows = folder_.read("in.csv");
  const size_t middle = rows.find('\n', rows.size() / 2) + 1;
  folder_.write("a.csv", rows.substr(0, middle));
  folder_.write("b.csv", "k,x,t\n" + rows.substr(middle));
  for (const string name : {"a", "b"}) {
    stats(string(kAll) + " --to partial -o " + name + ".mrs", name + ".csv");
    EXPECT_EQ(status_, 0) << error();
  }
  EXPECT_EQ(run("merge a.mrs b.mrs"), expected()) << error();
  stats("-k k -a 'above(x, 5)' --to partial -o c.mrs", "a.csv");
  stats("-k k -a 'above(x, 10)' --to partial -o d.mrs", "b.csv");
  run("merge c.mrs d.mrs");
  EXPECT_EQ(status_, 2) << "partials of another parameter";
}

TEST_F(PluginParameters, SayWhatIsWrong) {
  const auto refusal = [&](const string &item) {
    stats("-a '" + item + "'");
    EXPECT_EQ(status_, 2) << item;
    return error();
  };
  const string front = "mrc: error: stats: --aggregate: ";
  EXPECT_EQ(refusal("tmean(x, 5, 6)"),
            front +
                "tmean(x, 5, 6) has 3 arguments; tmean, from the plugin parameters, takes "
                "tmean(X[, percent])\n");
  EXPECT_EQ(refusal("begins(t)"),
            front +
                "begins(t) has 1 argument; begins, from the plugin parameters, takes begins(X, "
                "prefix)\n");
  EXPECT_EQ(refusal("tmean"), front +
                                  "tmean has 0 arguments; tmean, from the plugin parameters, "
                                  "takes tmean(X[, percent])\n");
  const string percent =
      "it is the parameter percent of tmean(X[, percent]), from the plugin parameters: percent to "
      "leave out at each end\n";
  EXPECT_EQ(refusal("tmean(x, k)"), front + "tmean(x, k): k is not an integer; " + percent);
  EXPECT_EQ(refusal("tmean(x, 2.5)"), front + "tmean(x, 2.5): 2.5 is not an integer; " + percent);
  EXPECT_EQ(refusal("tmean(x, \"5\")"),
            front + "tmean(x, \"5\"): \"5\" is not an integer; " + percent);
  EXPECT_EQ(refusal("tmean(x, 70)"),
            front + "tmean(x, 70): 70 is not between 0 and 49; " + percent);
  EXPECT_EQ(refusal("begins(t, 1)"),
            front +
                "begins(t, 1): 1 is not text in quotes; it is the parameter prefix of begins(X, "
                "prefix), from the plugin parameters: the text that it begins with\n");
  EXPECT_NE(refusal("tmean(\"a\", 5)").find("is text, and no number"), string::npos) << error();
  EXPECT_NE(refusal("tmean(x, 13)").find("13 percent bring bad luck"), string::npos) << error();
}

TEST_F(PluginParameters, AreOfPluginsThatAreFoundByName) {
  std::filesystem::create_directory(folder_.path("lib"));
  std::filesystem::copy(MRC_TEST_PLUGINS "/parameters.so", folder_.path("lib/above.so"));
  setenv("MRC_PLUGIN_PATH", folder_.path("lib").c_str(), 1);
  EXPECT_EQ(run("stats --force-plugin -a 'above(x, 0),count' in.csv"),
            stats("-a 'above(x, 0),count'"));
  run("stats --force-plugin -a 'above(x, 0),tmean(x, 5)' in.csv");
  EXPECT_EQ(status_, 2) << "only the reducer with the name of the file is found";
  run("stats --force-plugin -a above:x --state named in.csv");
  EXPECT_EQ(status_, 0) << error();
  EXPECT_EQ(run("plugins list --force-plugin").find("tmean(X[, percent])") == string::npos, false);
  EXPECT_NE(folder_.read("out").find("percent              percent to leave out at each end; "
                                     "default: 10"),
            string::npos)
      << folder_.read("out");
  unsetenv("MRC_PLUGIN_PATH");
}

TEST_F(PluginParameters, AndBuiltInNamesAreNoted) {
  run("stats --force-plugin --plugin " MRC_TEST_PLUGINS "/shadowed.so -a sum:x in.csv");
  EXPECT_EQ(status_, 0);
  EXPECT_NE(error().find("sum is the aggregate of mrc itself, and not that of the plugin"),
            string::npos)
      << error();
}

TEST_F(PluginParameters, AreCheckedWithTheirDefaults) {
  run("plugins check --force-plugin " MRC_TEST_PLUGINS "/parameters.so");
  const string out = folder_.read("out");
  EXPECT_NE(out.find("reducer tmean: no law was broken"), string::npos) << out << error();
  EXPECT_NE(out.find("reducer begins: was not tried with its defaults: "), string::npos) << out;
}

}  // namespace
}  // namespace mrc
