// Runs with --state that end before their time, or meet another: afterwards there is the old state
// or the new one, and the next run gives the right answer.
#include "kept/directory.h"
#include "support/failing_disk.h"
#include "support/kept_state.h"
#include "support/random.h"
#include "support/seed.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

namespace mrc {
namespace {

using std::string;
using Clock = std::chrono::steady_clock;

class KeptStateFaults : public KeptState {
 protected:
  // Besides the manifest, the state has only runs that it names.
  void expect_clean() const {
    std::set<string> found, named = {"MANIFEST"};
    for (const auto &[name, bytes] : state()) found.insert(name);
    const Result<KeptDirectory> kept = KeptDirectory::open({.path = folder_.path(state_)});
    ASSERT_TRUE(kept.is_ok()) << kept.status().message();
    for (const i64 run : kept->manifest().runs()) {
      named.insert(std::filesystem::path(kept->run_path(run)).filename());
    }
    EXPECT_EQ(found, named);
  }
  void expect_right_answer(const string &verb) const {
    const string expected = answer(verb);
    EXPECT_EQ(run(verb + " --state " + state_ + " log"), 0) << error();
    EXPECT_TRUE(out() == expected);
    expect_clean();
  }
};

// ---- Full disks ------------------------------------------------------------------------

TEST_F(KeptStateFaults, AFullDiskLeavesTheOldState) {
  std::filesystem::create_directory(folder_.path("disk"));
  const string path = folder_.path("disk");
  const char *disk = path.c_str();
  if (mount("none", disk, "tmpfs", MS_NOSUID, "size=256k") != 0) GTEST_SKIP() << "not root";
  state_ = "disk/state";
  append(lines(100));
  EXPECT_EQ(run("count --state disk/state log"), 0) << error();
  const auto before = state();
  append(lines(20000));
  EXPECT_EQ(run("count --state disk/state log"), 2);
  EXPECT_EQ(error(),
            "mrc: error: disk/state/00000001.run: cannot write: No space left on device\n");
  EXPECT_EQ(out(), "");
  EXPECT_EQ(state(), before);
  EXPECT_EQ(mount("none", disk, "tmpfs", MS_NOSUID | MS_REMOUNT, "size=64m"), 0);
  expect_right_answer("count");
  umount2(disk, MNT_DETACH);
}

// A limit on the size of files stands for the full disk: at each, something else cannot be written.
TEST_F(KeptStateFaults, WhatCannotBeWrittenLeavesTheOldState) {
  append(lines(100));
  EXPECT_EQ(run("count --top 1 --state state log"), 0) << error();
  append(lines(3000));
  const auto before = state();
  int failures = 0;
  for (const int limit : {1, 2, 3, 10, 30, 100, 300, 1000}) {
    const int code = run("count --top 1 --state state log", fmt::format("ulimit -f {}; ", limit));
    if (code == 0) break;
    ++failures;
    EXPECT_EQ(code, 2) << limit;
    EXPECT_TRUE(says_one_line()) << error();
    EXPECT_EQ(out(), "");
    EXPECT_EQ(state(), before) << limit;
  }
  EXPECT_GT(failures, 3);
  expect_right_answer("count");
}

// Values that have left memory go to --tmpdir. What cannot be written there must not be missing
// from what is kept.
TEST_F(KeptStateFaults, ValuesThatCannotBeSpilledAreNotKept) {
  std::filesystem::create_directory(folder_.path("tmp"));
  const string path = folder_.path("tmp"), verb = "stats -f fields -a distinct:2,median:2";
  if (mount("none", path.c_str(), "tmpfs", MS_NOSUID, "size=64k") != 0) GTEST_SKIP() << "not root";
  append(lines(100));
  const string small = verb + " --memory 4K --tmpdir tmp -j1 --state state log";
  EXPECT_EQ(run(small), 0) << error();
  const auto before = state();
  append(lines(30000));
  EXPECT_EQ(run(small), 2);
  EXPECT_TRUE(says_one_line()) << error();
  EXPECT_EQ(state(), before);
  umount2(path.c_str(), MNT_DETACH);
  expect_right_answer(verb);
}

// They are read again when their tile is sealed.
TEST_F(KeptStateFaults, ValuesThatCannotBeReadAgainAreNotKept) {
  FailingDisk disk;
  if (!disk.is_mounted()) GTEST_SKIP() << "no FUSE here, or not root";
  const string verb = "stats -f fields -a distinct:2,median:2";
  append(lines(100));
  EXPECT_EQ(run(verb + " --state state log"), 0) << error();
  const auto before = state();
  append(lines(50000));
  disk.faults.read_at = 100000;  // values, and not the little that else is spilled
  EXPECT_EQ(run(verb + " --memory 1M -j1 --state state --tmpdir " + disk.path("") + " log"), 2);
  EXPECT_EQ(error(), "mrc: error: " + disk.path("") + ": cannot read: Input/output error\n");
  EXPECT_EQ(state(), before);
  expect_right_answer(verb);
}

// ---- Kills -----------------------------------------------------------------------------

class KeptStateKills : public KeptStateFaults, public testing::WithParamInterface<const char *> {};

TEST_P(KeptStateKills, LeaveTheOldStateOrTheNew) {
  Random random(first_seed());
  const string verb = GetParam();
  append(lines(2000));
  expect_right_answer(verb);
  const auto begin = Clock::now();
  append(lines(2000));
  expect_right_answer(verb);
  const i64 most = (Clock::now() - begin) / std::chrono::microseconds(1);
  i64 kept = 0;
  for (i64 kill = 0; kill < 60 * rounds(); ++kill) {
    append(lines(500));
    const auto before = state();
    {
      Background mrc("$MRC " + verb + " --state " + folder_.path("state") + " -o " +
                     folder_.path("out") + " " + folder_.path("log"));
      std::this_thread::sleep_for(std::chrono::microseconds(pick(random, 0, most)));
      mrc.send(SIGKILL);
      mrc.wait();
    }
    EXPECT_EQ(run("state check state"), 0) << out() << error();
    const bool is_new = state().at("MANIFEST") != before.at("MANIFEST");
    kept += is_new;
    if (!is_new) {
      for (const auto &[name, bytes] : before) EXPECT_TRUE(state().at(name) == bytes) << name;
    }
    expect_right_answer(verb);
    if (HasFailure()) return;
  }
  EXPECT_LT(kept, 60 * rounds());
}

INSTANTIATE_TEST_SUITE_P(Verbs, KeptStateKills,
                         testing::Values("stats -f fields -a count,sum:2,last:2,distinct:2",
                                         "sort -s -d ' ' -k 2:num:desc --memory 1M", "grep -n 7"));

// ---- Two at once -----------------------------------------------------------------------

TEST_F(KeptStateFaults, AnotherProcessIsWaitedForAndNamed) {
  append(lines(10));
  EXPECT_EQ(run("count --state state log"), 0);
  const string in_use =
      fmt::format("state: in use by process {}; try again when it has ended\n", getpid());
  Result<KeptDirectory> kept = KeptDirectory::open({.path = folder_.path("state")});
  ASSERT_TRUE(kept.is_ok());
  auto begin = Clock::now();
  EXPECT_EQ(run("count --state state --state-wait 1 log"), 2);
  EXPECT_GE(Clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(error(), "mrc: error: " + in_use);
  EXPECT_EQ(out(), "");
  EXPECT_EQ(run("count --state state --state-wait 0 log"), 2);
  EXPECT_EQ(error(), "mrc: error: " + in_use);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const KeptDirectory ends(std::move(*kept));
  });
  EXPECT_EQ(run("count --state state log"), 0) << error();
  other.join();
}

TEST_F(KeptStateFaults, ManyAtOnceTakeTurns) {
  append(lines(1000));
  const string expected = answer("count");
  EXPECT_EQ(run_shell("cd " + folder_.path("") +
                      "; for i in 1 2 3 4 5 6 7 8; do $MRC count --state state log >out$i & done; "
                      "wait; for i in 2 3 4 5 6 7 8; do cmp out1 out$i || exit 1; done"),
            0);
  EXPECT_TRUE(folder_.read("out1") == expected);
  expect_clean();
}

// ---- Inputs ----------------------------------------------------------------------------

// Each answer is that of the lines that were there at a moment.
TEST_F(KeptStateFaults, AnInputMayGrowWhileItIsRead) {
  const string log = folder_.write("log", "");
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    std::ofstream file(log, std::ios::app);
    for (int i = 1; i <= 300000; ++i) {
      file << i << '\n';
      if (i % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    file.close();
    is_done = true;
  });
  string answer;
  for (bool last = false; !last;) {
    last = is_done;
    EXPECT_EQ(run("stats -f fields -a count,max:1 --state state --split 5000 -j2 log"), 0);
    std::istringstream fields(answer = out());
    string count, most;
    fields >> count >> most;
    EXPECT_TRUE(count == most || count == "0") << answer;
  }
  writer.join();
  EXPECT_EQ(answer, "300000\t300000\n");
}

TEST_F(KeptStateFaults, AnInputMustBeAFile) {
  ASSERT_EQ(mkfifo(folder_.path("fifo").c_str(), 0600), 0);
  append(lines(1));
  const string advice =
      " is no file, so what was read of it could not be told from what is new; write it to a file "
      "first\n";
  for (const string input : {"fifo", "/dev/null", "log fifo"}) {
    EXPECT_EQ(run("count --state state " + input), 2);
    EXPECT_EQ(error(), "mrc: error: --state: " + input.substr(input.rfind(' ') + 1) + advice);
  }
  EXPECT_EQ(run("count --state state -"), 2);
  EXPECT_EQ(error(), "mrc: error: --state: standard input" + advice);
}

TEST_F(KeptStateFaults, JobsThatReadAllTheirInputAreRefused) {
  setenv("MRC_PLUGIN_PATH", MRC_PLUGINS, 1);
  append("1,2\n3,4\n");
  EXPECT_EQ(run("kmeans --state state log"), 2);
  EXPECT_EQ(error(),
            "mrc: error: run: --state: a job with rounds reads all of its input in each\n");
  EXPECT_EQ(run("histogram --state state log"), 2);
  EXPECT_EQ(error(),
            "mrc: error: run: --state: a job that makes its own splits reads all of its input\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("state")));
}

}  // namespace
}  // namespace mrc
