// The recipes of mrc-state(1), as they are printed: the line of a crontab runs in cron's
// environment, and the logrotate(8) configuration with logrotate, if that is installed. Absolute
// paths lead into a folder of the test.
#include "golden/page_blocks.h"
#include "support/compress.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

namespace fs = std::filesystem;
using std::string;

class Recipes : public testing::Test {
 protected:
  Recipes() {
    for (const char *name : {"usr/local/bin", "var/lib/mrc", "var/log/nginx", "home"}) {
      fs::create_directories(folder_.path(name));
    }
    fs::create_symlink(MRC_BINARY, folder_.path("usr/local/bin/mrc"));
  }

  // The only block that the pattern finds, with its paths in this folder.
  string recipe(const char *pattern) const {
    string found;
    for (string block : page_blocks("mrc-state.1")) {
      if (!RE2::PartialMatch(block, pattern) || block.starts_with("$ ")) continue;
      EXPECT_EQ(found, "");
      RE2::GlobalReplace(&block, R"((^|[\s])(/(usr|var)/))", "\\1" + folder_.path("") + "\\2");
      found = block;
    }
    EXPECT_NE(found, "") << pattern;
    return found;
  }
  // As cron does: in HOME, without a terminal, and what is printed would be mailed.
  void run(const string &command) const {
    folder_.write("command", command);
    const string home = folder_.path("home");
    EXPECT_EQ(run_shell(fmt::format("cd {}; env -i HOME={} LOGNAME=user SHELL=/bin/sh "
                                    "PATH=/usr/bin:/bin /bin/sh -c \"$(cat ../command)\" "
                                    "</dev/null >../printed 2>&1",
                                    home, home)),
              0);
    EXPECT_EQ(folder_.read("printed"), "");
  }

  string log(const string &suffix = "") const {
    return folder_.path("var/log/nginx/access.log" + suffix);
  }
  void write_lines(int count) {
    string lines;
    for (; count > 0; --count, ++next_) {
      lines += fmt::format(
          "192.0.2.{} - - [13/Sep/2015:06:25:10 +0000] \"GET /{} HTTP/1.1\" {} {} \"-\" \"-\"\n",
          next_ % 200, next_, next_ % 7 == 0 ? 404 : 200, 100 + next_);
    }
    std::ofstream(log(), std::ios::app) << lines;
    std::ofstream(folder_.path("all"), std::ios::app) << lines;
  }
  void expect_all_is_counted() const {
    run_shell(fmt::format("$MRC stats -k status -a count,sum:bytes {} >{}", folder_.path("all"),
                          folder_.path("expected")));
    EXPECT_EQ(folder_.read("var/lib/mrc/status.tsv"), folder_.read("expected"));
  }

  const TemporaryFolder folder_;

 private:
  int next_ = 0;
};

TEST_F(Recipes, CronRunsTheLineOfTheCrontab) {
  string command;
  ASSERT_TRUE(RE2::FullMatch(recipe(R"(^\*/5 )"), R"((?:[0-9*/,-]+ +){5}([^\n]*)\n)", &command));
  EXPECT_EQ(command.find('%'), string::npos) << "cron takes it for the end of the line";
  for (int day = 0; day < 5; ++day) {
    for (int minute = 0; minute < 15; minute += 5) {
      write_lines(minute == 0 ? 100 : 3);
      run(command);
      expect_all_is_counted();
    }
    write_lines(2);
    if (fs::exists(log(".1"))) {
      const string old = "var/log/nginx/access.log.1";
      folder_.write(fmt::format("var/log/nginx/access.log.{}.gz", 9 - day),
                    gzipped(folder_.read(old)));
    }
    fs::rename(log(), log(".1"));
  }
  run(command);
  expect_all_is_counted();
}

// Each day the last log is removed that was rotated: the job has read it by then.
TEST_F(Recipes, LogrotateRunsTheJobBeforeLogsAreRemoved) {
  const string configuration = recipe("prerotate");
  folder_.write("logrotate.conf", configuration);
  fs::permissions(folder_.path("var/log/nginx"), fs::perms(0755));
  string script;
  ASSERT_TRUE(RE2::PartialMatch(configuration, R"((?s)prerotate\n(.*)endscript)", &script));
  EXPECT_TRUE(RE2::PartialMatch(configuration, R"(rotate 1\n)"));
  const bool is_installed = fs::exists("/usr/sbin/logrotate");
  for (int day = 0; day < 5; ++day) {
    write_lines(100 + day);
    if (is_installed) {
      run(fmt::format("/usr/sbin/logrotate -f -s {} {}", folder_.path("status"),
                      folder_.path("logrotate.conf")));
    } else {
      run(script);
      folder_.write("var/log/nginx/access.log.1.gz",
                    gzipped(folder_.read("var/log/nginx/access.log")));
      fs::remove(log());
    }
    expect_all_is_counted();
  }
}

}  // namespace
}  // namespace mrc
