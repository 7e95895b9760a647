// Plugins that go wrong while a job runs: the message says whose fault it is, and nothing
// half-written stays.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace mrc {
namespace {

using std::string;

class PluginFault : public testing::Test {
 protected:
  PluginFault() { folder_.write("in", "a\nb\n"); }

  // The status of wait(). The answer is to go to a file.
  int run(const string &job) {
    return run_shell("cd " + folder_.path("") + "; exec " + command(job));
  }
  string command(const string &job) const {
    return "\"$MRC\" run " MRC_TEST_PLUGINS "/faulty.so " + job + " --force-plugin -o " +
           folder_.path("answer") + " " + folder_.path("in") + " 2>" + folder_.path("err");
  }
  // What was said, with @ for the plugin and IN for the input.
  string said() const {
    string text = folder_.read("err");
    for (auto [from, to] : {std::pair<string, string>{MRC_TEST_PLUGINS "/faulty.so", "@"},
                            {folder_.path("in"), "IN"}}) {
      for (size_t at; (at = text.find(from)) != string::npos;) text.replace(at, from.size(), to);
    }
    return text;
  }
  bool has_answer() const { return folder_.files() > 2; }

  TemporaryFolder folder_;
};

TEST_F(PluginFault, OfAFunctionThatFails) {
  EXPECT_EQ(WEXITSTATUS(run("fails")), 2);
  EXPECT_EQ(said(), "mrc: error: plugin @: job fails: map: cannot read this (IN, byte 0)\n");
  EXPECT_FALSE(has_answer());
}

TEST_F(PluginFault, ThatIsACrash) {
  const int status = run("crashes");
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
  EXPECT_EQ(said(),
            "mrc: error: plugin @ crashed (SIGSEGV) in map of job crashes, input IN at byte 0\n");
  EXPECT_FALSE(has_answer());
}

TEST_F(PluginFault, ThatIsExit) {
  EXPECT_EQ(WEXITSTATUS(run("exits")), 2);
  EXPECT_EQ(said(),
            "mrc: error: plugin @ ended the process in map of job exits, input IN at byte 0\n");
  EXPECT_FALSE(has_answer());
}

TEST_F(PluginFault, ThatNeverEndsCanBeInterrupted) {
  Background mrc(command("waits"));
  for (int i = 0; i < 1000 && !has_answer(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(has_answer());  // its temporary file
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  mrc.send(SIGINT);
  const int status = mrc.wait();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  EXPECT_FALSE(has_answer());
}

// What a check prints, with @ for the plugin.
string check(const string &name) {
  TemporaryFolder folder;
  folder.write("in", string(3000, '\n'));
  const int status = run_shell("cd " MRC_TEST_PLUGINS "; \"$MRC\" plugins check --force-plugin ./" +
                               name + ".so " + folder.path("in") + " >" + folder.path("out"));
  EXPECT_EQ(WEXITSTATUS(status), 1) << name;
  string text = folder.read("out");
  const string in = folder.path("in");
  for (size_t at; (at = text.find(in)) != string::npos;) text.replace(at, in.size(), "IN");
  return text;
}

TEST(PluginCheck, GivesCounterExamples) {
  const string found = check("broken");
  EXPECT_NE(found.find("reducer forgetful: a new state is no identity of merge\n"
                       "  a: add(1)\n"
                       "  merge(a, new): 0\n"
                       "  a: 1\n"),
            string::npos)
      << found;
  EXPECT_NE(found.find("job calls: its answer depends on how it is run"), string::npos) << found;
  EXPECT_NE(found.find("./broken.so: breaks the rules of mrc-plugin(3)\n"), string::npos) << found;
}

TEST(PluginCheck, TellsOfACrashLikeOfAllElse) {
  EXPECT_EQ(check("keeps"),
            "plugin ./keeps.so crashed (SIGSEGV) in map of job keeps, input IN at byte 1024: it "
            "touched what an earlier call was given: a pointer was kept\n"
            "./keeps.so: breaks the rules of mrc-plugin(3)\n");
}

TEST(PluginCheck, SeesWhoWritesBesideTheEmitter) {
  const string found = check("overruns");
  EXPECT_NE(found.find("map: wrote beside the emitter's arrays (IN, byte 0)"), string::npos)
      << found;
}

}  // namespace
}  // namespace mrc
