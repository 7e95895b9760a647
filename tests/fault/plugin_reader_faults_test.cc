// Readers of plugins that fail: the message says which input, what and where; other inputs, and
// rows before the failure, count.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

class PluginReaderFaults : public testing::Test {
 protected:
  // Runs mrc. Returns its exit status.
  int run(const string &arguments) const {
    return WEXITSTATUS(run_shell(
        fmt::format("cd {} && timeout 60 $MRC {} >out 2>err", folder_.path("."), arguments)));
  }
  static string input(const string &text) { return MRC_TEST_PLUGINS "/rows.so:" + text; }
  // Returns what was said, with @ for the plugin.
  string said() const {
    const string plugin = MRC_TEST_PLUGINS "/rows.so";
    string text = folder_.read("err");
    for (size_t at; (at = text.find(plugin)) != string::npos;) text.replace(at, plugin.size(), "@");
    return text;
  }

  const TemporaryFolder folder_;
};

TEST_F(PluginReaderFaults, BeforeTheFirstRowAreErrors) {
  const std::pair<string, string> faults[] = {
      {"open", "open: there is no such thing"},
      {"silent", "open: returned 7, and did not say why by fail()"},
      {"fields", "open: gave 0 fields; an input has 1 to 4096"},
      {"twins", "open: field 1 has the name of another field"},
      {"type", "open: field 0 has an unknown type"},
      {"split", "split: cannot be divided"}};
  for (const auto &[fault, message] : faults) {
    EXPECT_EQ(run("stats -a count " + input("9," + fault)), 2) << fault;
    EXPECT_EQ(said(), fmt::format("mrc: error: plugin @: {} (@:9,{})\n", message, fault));
  }
}

TEST_F(PluginReaderFaults, LeaveTheRowsBeforeThemAndOtherInputs) {
  for (const char *threads : {"-j1", "-j4"}) {
    const auto count = [&](const string &inputs) {
      return run(fmt::format("stats -a count {} {}", threads, inputs));
    };
    EXPECT_EQ(count(input("3000,read") + " " + input("5")), 3);
    EXPECT_EQ(folder_.read("out"), "2605\n");  // without the rest of the split of row 1000
    EXPECT_EQ(said(), "mrc: error: plugin @: read: row 1000 is damaged (@:3000,read)\n");
    EXPECT_EQ(count(input("1000,begin")), 3);
    EXPECT_EQ(folder_.read("out"), "700\n");
    EXPECT_EQ(said(), "mrc: error: plugin @: begin: this part is gone (@:1000,begin)\n");
    EXPECT_EQ(count(input("9,open") + " " + input("5")), 3);
    EXPECT_EQ(folder_.read("out"), "5\n");
  }
}

TEST_F(PluginReaderFaults, WithMoreRowsThanABatchHasAreNamed) {
  EXPECT_NE(run("stats -a count " + input("9,rows")), 0);
  EXPECT_EQ(said(),
            "mrc: error: plugin @: read: gave 1025 rows; a batch has up to 1024 (@:9,rows)\n");
}

TEST_F(PluginReaderFaults, AreFoundByTheCheckOfPlugins) {
  const string check = "plugins check --force-plugin " MRC_TEST_PLUGINS "/rows.so ";
  folder_.write("3000", "");
  EXPECT_EQ(run(check + "3000"), 0) << folder_.read("out");
  EXPECT_TRUE(folder_.read("out").starts_with("reader: no law was broken in 3000 trials\n"));
  folder_.write("3000,hasty", "");
  EXPECT_EQ(run(check + "3000,hasty"), 1);
  EXPECT_TRUE(folder_.read("out").starts_with(
      "reader: it leaves out other rows than those with number up to 1500\n"))
      << folder_.read("out");
  EXPECT_EQ(run(check), 1);
  EXPECT_TRUE(folder_.read("out").starts_with("reader: compared no rows: it is given none\n"));
}

}  // namespace
}  // namespace mrc
