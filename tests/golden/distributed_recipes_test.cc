// The recipes of mrc-distributed(7) for several machines, as they are printed: parallel(1) and
// ssh(1) log in to "machines" that are folders of the test, by an sshd(8) for each login, which
// listens nowhere. The client of an object store is a script that fails at first.
#include "golden/page_blocks.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

namespace fs = std::filesystem;
using std::string;

constexpr const char *kPage = "mrc-distributed.7";

// The only block of the page that the pattern finds.
string recipe(const char *pattern) {
  string found;
  for (const string &block : page_blocks(kPage)) {
    if (block.starts_with("$ ") || !RE2::PartialMatch(block, pattern)) continue;
    EXPECT_EQ(found, "");
    found = block;
  }
  EXPECT_NE(found, "") << pattern;
  return found;
}

class DistributedRecipes : public testing::Test {
 protected:
  void SetUp() override {
    for (const char *program :
         {"/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/rsync", "/usr/bin/parallel"}) {
      if (!fs::exists(program)) GTEST_SKIP() << "there is no " << program;
    }
    // Root needs it, as any machine has it where sshd runs. It stays: other tests may need it.
    std::error_code error;
    if (geteuid() == 0) fs::create_directory("/run/sshd", error);
    fs::create_directory(folder_.path("bin"));
    fs::create_symlink(MRC_BINARY, folder_.path("bin/mrc"));
    write_script("ssh", fmt::format("exec /usr/bin/ssh -F {} \"$@\"", folder_.path("client")));
    write_configurations();
    if (run_here("ssh web1 true") != 0) GTEST_SKIP() << "sshd: " << folder_.read("err");
  }

  void write_script(const string &name, const string &text) const {
    fs::permissions(folder_.write("bin/" + name, "#!/bin/sh\n" + text + "\n"), fs::perms(0755));
  }
  // A login runs its command in the folder of the machine that it names.
  void write_configurations() const {
    const string place = folder_.path(".");
    for (const char *machine : {"web1", "web2", "web3"}) {
      fs::create_directories(folder_.path(string(machine) + "/log"));
    }
    run_shell(
        fmt::format("cd {} && ssh-keygen -q -t ed25519 -N '' -f of_host && "
                    "ssh-keygen -q -t ed25519 -N '' -f of_user",
                    place));
    folder_.write("server", fmt::format("HostKey {0}/of_host\n"
                                        "AuthorizedKeysFile {0}/of_user.pub\n"
                                        "StrictModes no\n"
                                        "UsePAM no\n"
                                        "PermitRootLogin yes\n"
                                        "ForceCommand cd {0}/$MACHINE && PATH={0}/bin:$PATH && "
                                        "eval \"$SSH_ORIGINAL_COMMAND\"\n",
                                        place));
    folder_.write("client", fmt::format("Host *\n"
                                        "ProxyCommand /usr/sbin/sshd -i -f {0}/server "
                                        "-o SetEnv=MACHINE=%h\n"
                                        "IdentityFile {0}/of_user\n"
                                        "IdentitiesOnly yes\n"
                                        "StrictHostKeyChecking no\n"
                                        "UserKnownHostsFile /dev/null\n"
                                        "LogLevel ERROR\n",
                                        place));
  }

  // The output goes to the file "out". Recipes with pipefail are for bash.
  int run_here(const string &command) const {
    folder_.write("command", command);
    const bool wants_bash = command.find("pipefail") != string::npos;
    const int status =
        run_shell(fmt::format("cd {0} && PATH={0}/bin:$PATH PARALLEL_HOME={0} timeout 100 {1} "
                              "./command </dev/null >out 2>err",
                              folder_.path("."), wants_bash ? "bash" : "sh"));
    return WEXITSTATUS(status);
  }
  // From now on, mrc on a machine fails for units with this number.
  void break_unit(int number) const {
    fs::remove(folder_.path("bin/mrc"));
    write_script("mrc", fmt::format("case \"$1 $5\" in 'units {}') kill -9 $$ ;; esac\n"
                                    "exec " MRC_BINARY " \"$@\"",
                                    number));
  }
  void expect_same(const string &recipe, const string &by_one_process) const {
    EXPECT_EQ(run_here(by_one_process), 0) << folder_.read("err");
    const string expected = folder_.read("out");
    EXPECT_NE(expected, "");
    EXPECT_EQ(run_here(recipe), 0) << folder_.read("err");
    EXPECT_EQ(folder_.read("out"), expected) << recipe << folder_.read("err");
  }
  // Lines of an access log.
  static string log(int from) {
    string text;
    for (int i = from; i < from + 2000; ++i) {
      text += fmt::format(
          "192.0.2.{} - - [13/Sep/2015:06:25:10 +0000] \"GET /{} HTTP/1.1\" 200 {} \"-\" \"-\"\n",
          i % 200, i * i % 97, i % 1013);
    }
    return text;
  }

  const TemporaryFolder folder_;
};

TEST_F(DistributedRecipes, EachMachineReadsItsOwnLog) {
  string command = recipe(R"(for host in(?s:.*)mrc count)"), all;
  const string path = "/var/log/nginx/access.log";
  ASSERT_NE(command.find(path), string::npos);
  command.replace(command.find(path), path.size(), "log/$MACHINE");
  for (int i : {1, 2, 3}) {
    all += " " + folder_.write(fmt::format("web{0}/log/web{0}", i), log(500 * i));
  }
  expect_same(command, "mrc count -k path --by count --top 20" + all);
}

TEST_F(DistributedRecipes, AMachineThatFailsIsMissed) {
  string command = recipe(R"(for host in(?s:.*)mrc count)");
  const string path = "/var/log/nginx/access.log";
  command.replace(command.find(path), path.size(), "log/$MACHINE");
  for (int i : {1, 3}) folder_.write(fmt::format("web{0}/log/web{0}", i), log(500 * i));
  EXPECT_EQ(run_here(command), 2);
  EXPECT_NE(folder_.read("err").find("web2.part: No such file"), string::npos)
      << folder_.read("err");
  EXPECT_EQ(folder_.read("out"), "");
}

constexpr const char *kStats = "mrc stats -k path -a count,p95:bytes --by count --top 20 *.log";

TEST_F(DistributedRecipes, ParallelMapsUnitsOnMachines) {
  folder_.write("a.log", log(1));
  folder_.write("b.log", log(700));
  for (const char *pattern : {R"(pipefail(?s:.*)units --list stats(?s:.*)parallel -S)",
                              R"(^mrc units --list stats(?s:.*)parallel -S(?s:.*)> parts)"}) {
    string command = recipe(pattern);
    const string files = "/data/*.log";
    ASSERT_NE(command.find(files), string::npos);
    command.replace(command.find(files), files.size(), folder_.path("*.log"));
    RE2::Replace(&command, "--list", "--list --size 90K");
    expect_same(command, kStats);
    break_unit(2);
    EXPECT_NE(run_here(command), 0) << command << folder_.read("out");
    fs::remove(folder_.path("bin/mrc"));
    fs::create_symlink(MRC_BINARY, folder_.path("bin/mrc"));
  }
}

TEST_F(DistributedRecipes, RangesAreSortedApart) {
  fs::create_directory(folder_.path("shared"));
  folder_.write("shared/9.mrs", "of an earlier job");
  string command = recipe(R"(units --list --splitters 64 sort)");
  RE2::GlobalReplace(&command, "/shared", folder_.path("shared"));
  RE2::GlobalReplace(&command, "/data", folder_.path("data"));
  RE2::GlobalReplace(&command, "sort -k time", "sort -k bytes:num,path");
  RE2::Replace(&command, "--splitters", "--size 90K --splitters");
  RE2::GlobalReplace(&command, "64", "8");
  RE2::GlobalReplace(&command, "63", "7");
  fs::create_directory(folder_.path("data"));
  folder_.write("data/a.log", log(1));
  folder_.write("data/b.log", log(700));
  expect_same(command, "mrc sort -k bytes:num,path data/*.log");
  break_unit(3);
  EXPECT_NE(run_here(command), 0);
  EXPECT_EQ(folder_.read("out"), "");
}

TEST_F(DistributedRecipes, EachMachineSortsItsOwnLog) {
  fs::create_directory(folder_.path("shared"));
  string command = recipe(R"(for host in(?s:.*)mrc sort)"), all;
  RE2::GlobalReplace(&command, "/shared", folder_.path("shared"));
  RE2::GlobalReplace(&command, "\\$\\(hostname\\)", "$MACHINE");
  RE2::GlobalReplace(&command, "/var/log/app.log", "log/$MACHINE");
  RE2::GlobalReplace(&command, "sort -k time", "sort -k bytes:num,path");
  for (int i : {1, 2, 3}) {
    all += " " + folder_.write(fmt::format("web{0}/log/web{0}", i), log(500 * i));
  }
  expect_same(command, "mrc sort -k bytes:num,path" + all);
  fs::remove(folder_.path("web2/log/web2"));
  EXPECT_EQ(run_here(command), 2);
  EXPECT_EQ(folder_.read("out"), "");
}

// A pipe into mrc merge tells of what fails in front of it, unless the recipe is an example, whose
// pipes have no worker in them, or is a command for a program that sees it.
TEST(DistributedRecipesOfThePage, LoseNoFailure) {
  for (const string &block : page_blocks(kPage)) {
    if (!RE2::PartialMatch(block, R"(\|\s+mrc merge)")) continue;
    EXPECT_NE(block.find("set -o pipefail"), string::npos) << block;
  }
}

TEST_F(DistributedRecipes, ObjectsAreUnitsAndTriedAgain) {
  fs::create_directory(folder_.path("logs"));
  folder_.write("logs/it's a", log(3));
  folder_.write("logs/b", log(1300));
  run_here("gzip logs/b");
  write_script("aws", fmt::format("cd {} || exit\n"
                                  "name=${{3#s3://}}\n"
                                  "[ \"$1 $2 $4\" = 's3 cp -' ] || exit 2\n"
                                  "mkdir \"tried-${{name#*/}}\" 2>/dev/null || exec cat \"$name\"\n"
                                  "head -c 3000 \"$name\"\n"
                                  "exit 1",
                                  folder_.path(".")));
  string command = recipe(R"(units --list count(?s:.*)--input-cmd)");
  RE2::Replace(&command, R"(\$names)", R"("s3://logs/it's a" s3://logs/b.gz)");
  expect_same(command, "mrc count -k path --by count --top 20 \"logs/it's a\" logs/b.gz");
  EXPECT_TRUE(fs::exists(folder_.path("tried-b.gz")) && fs::exists(folder_.path("tried-it's a")));
}

}  // namespace
}  // namespace mrc
