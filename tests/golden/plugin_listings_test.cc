// Compiles the plugins that mrc-plugin(3) prints, and runs them.
#include "golden/page_blocks.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <utmpx.h>

#include <cstring>

namespace mrc {
namespace {

using std::string;

class PluginListings : public testing::Test {
 protected:
  // Builds NAME.so of the listing that has this text.
  void build(const string &name, const string &text, const string &compiler = "cc -std=gnu11",
             const string &suffix = ".c") const {
    for (const string &block : page_blocks("mrc-plugin.3")) {
      if (block.find("#include <mrc") == string::npos) continue;
      if (block.find(text) != string::npos) folder_.write(name + suffix, block);
    }
    EXPECT_EQ(shell(fmt::format("{0} -O2 -Wall -Werror -shared -fPIC -I {1}/src -o {2}.so {2}{3}",
                                compiler, MRC_SOURCE_DIR, name, suffix)),
              "");
  }
  // Returns what the command prints.
  string shell(const string &command) const {
    run_shell(fmt::format("cd {} && {} >out 2>&1", folder_.path("."), command));
    return folder_.read("out");
  }

  const TemporaryFolder folder_;
};

TEST_F(PluginListings, CountInitials) {
  build("initials", ".name = \"initials\"");
  folder_.write("words", "one\ntwo\n\nthree\n");
  EXPECT_EQ(shell("$MRC run --force-plugin ./initials.so words"), "\t1\no\t1\nt\t2\n");
}

TEST_F(PluginListings, CountNumbersAboveALimit) {
  build("above", ".name = \"above\"");
  folder_.write("numbers", "9\n10\n-3\n11\n");
  const string stats = "MRC_PLUGIN_PATH=$PWD $MRC stats --force-plugin -f fields -a ";
  EXPECT_EQ(shell(stats + "'above($1, 9.5)' numbers"), "2\n");
  EXPECT_EQ(shell(stats + "above:1 numbers"), "3\n");
}

TEST_F(PluginListings, CountInitialsInCpp) {
  build("initials", "class Initials", "c++ -std=c++20", ".cc");
  folder_.write("words", "one\ntwo\n\nthree\n");
  EXPECT_EQ(shell("$MRC run --force-plugin ./initials.so words"), "\t1\t0\no\t1\t3\nt\t2\t4\n");
  EXPECT_EQ(shell("$MRC stats --force-plugin --plugin ./initials.so -a length:1 words"),
            "3.6666666666666665\n");
}

TEST_F(PluginListings, ReadFields) {
  build("longest", ".name = \"longest\"");
  folder_.write("in.csv", "status,user,path\n404,a,/xy\n200,a,/xyz\n404,b,\"/,\"\n");
  EXPECT_EQ(shell("$MRC run --force-plugin ./longest.so in.csv"), "a\t4\nb\t2\n");
  EXPECT_EQ(shell("$MRC run --force-plugin ./longest.so -w 'status == 404' in.csv"),
            "a\t3\nb\t2\n");
  folder_.write("requests.csv", "account,path\nc,/\nc,/abc\n");
  EXPECT_EQ(shell("$MRC run --force-plugin ./longest.so --fields user=account requests.csv"),
            "c\t4\n");
}

TEST_F(PluginListings, ReadFieldsInCpp) {
  build("traffic", "class Traffic", "c++ -std=c++20", ".cc");
  folder_.write("in.csv",
                "time,bytes\n2026-11-03T10:00:00Z,3\n2026-11-03T23:59:59Z,\n"
                "2026-11-04T00:00:00Z,5\n,7\n");
  EXPECT_EQ(shell("$MRC run --force-plugin ./traffic.so in.csv"), "20760\t2\t3\n20761\t1\t5\n");
}

TEST_F(PluginListings, ReadLogins) {
  build("wtmp", ".name = \"wtmp\"");
  string log;
  for (const char *user : {"ann", "bob", "ann"}) {
    struct utmpx login = {};
    login.ut_type = USER_PROCESS;
    login.ut_tv.tv_sec = 1793700000 + static_cast<int>(log.size());
    std::strncpy(login.ut_user, user, sizeof login.ut_user - 1);
    log.append(reinterpret_cast<const char *>(&login), sizeof login);
  }
  folder_.write("log", log);
  EXPECT_EQ(shell("$MRC count -k user -w 'type == 7' ./wtmp.so:log"), "ann\t2\nbob\t1\n");
  EXPECT_EQ(shell("$MRC stats -a min:time ./wtmp.so:log"), "2026-11-03T10:00:00Z\n");
}

}  // namespace
}  // namespace mrc
