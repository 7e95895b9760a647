// Plugins that go wrong while a job runs: the message names the plugin at fault, and nothing
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

#if !defined(MRC_SANITIZED)  // crashes are the sanitizer's
TEST_F(PluginFault, ThatIsACrash) {
  const int status = run("crashes");
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
  EXPECT_EQ(said(),
            "mrc: error: plugin @ crashed (SIGSEGV) in map of job crashes, input IN at byte 0\n");
  EXPECT_FALSE(has_answer());
}
#endif

TEST_F(PluginFault, ThatIsExit) {
  EXPECT_EQ(WEXITSTATUS(run("exits")), 2);
  EXPECT_EQ(said(),
            "mrc: error: plugin @ ended the process in map of job exits, input IN at byte 0\n");
  EXPECT_FALSE(has_answer());
}

TEST_F(PluginFault, ThatNeverEndsCanBeInterrupted) {
  Background mrc(command("waits"));
  ASSERT_TRUE(wait_until("it has its output open",
                         [&] { return open_files_in(mrc.id(), folder_.path("")) > 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  mrc.send(SIGINT);
  const int status = mrc.wait();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  EXPECT_FALSE(has_answer());
}

// The line about a crash is made of what lies on the stack: a plugin may have overwritten it.
TEST_F(PluginFault, ThatOverwritesTheStackEndsTheProcessAllTheSame) {
#ifdef MRC_SANITIZED
  GTEST_SKIP();
#endif
  const int status =
      run_shell("exec timeout 20 \"$MRC\" run " MRC_TEST_PLUGINS "/smashes.so --force-plugin -o " +
                folder_.path("answer") + " " + folder_.path("in") + " 2>" + folder_.path("err"));
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << status;
  EXPECT_NE(said().find("crashed"), string::npos) << said();
  EXPECT_FALSE(has_answer());
}

}  // namespace
}  // namespace mrc
