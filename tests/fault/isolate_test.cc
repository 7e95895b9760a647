// Worker processes that die, by themselves or by others: the answer is the same, or says what is
// missing (tests/plugins/deadly.c).
#include "support/compress.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

namespace mrc {
namespace {

using std::string;

const string kPlugin = MRC_TEST_PLUGINS "/deadly.so";
#ifdef MRC_SANITIZED
const string kCrash = "it ended with status 1";  // the sanitizer ends it
#else
const string kCrash = "SIGSEGV";
#endif

class Isolate : public testing::Test {
 protected:
  // Lines of which one, in the middle, is deadly.
  Isolate() {
    for (int i = 0; i < 40000; ++i) {
      text_ += "line " + std::to_string(i * 7919 % 3001) + "\n";
      if (i == 20000) text_ += "die\n";
    }
    folder_.write("in", text_);
  }

  string at(string command) const {
    for (size_t place; (place = command.find("@/")) != string::npos;) {
      command.replace(place, 2, folder_.path(""));
    }
    return command;
  }
  // Its exit status, or 128 and the signal, as shells have it.
  int run(const string &command) const {
    const int status = run_shell(at("timeout -s KILL 120 " + command));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  string deadly(const string &how, const string &more = "") const {
    return "$MRC run --force-plugin " + kPlugin + " deadly --set how=" + how +
           " --isolate -j2 --split 8K --stats -o @/out " + more + " @/in 2>@/err";
  }
  string error() const { return folder_.read("err"); }
  bool says(const string &part) const {
    if (error().find(part) != string::npos) return true;
    ADD_FAILURE() << "no \"" << part << "\" in " << error();
    return false;
  }
  // The same job, with nothing that is deadly.
  string whole_answer() const {
    EXPECT_EQ(run("$MRC run --force-plugin " + kPlugin + " deadly -o @/whole @/in"), 0);
    return folder_.read("whole");
  }
  // How many of something --stats has counted: "workers 3 died".
  i64 counted(const string &before, const string &after) const {
    const string text = error();
    const size_t line = text.find("workers ");
    const size_t begin = text.find(before, line), end = text.find(after, begin);
    if (line == string::npos || begin == string::npos || end == string::npos) return -1;
    return std::stoll(text.substr(begin + before.size(), end - begin - before.size()));
  }

  TemporaryFolder folder_;
  string text_;
};

constexpr const char *kDeaths[] = {"crash", "abort", "exit", "kill", "hang"};

TEST_F(Isolate, MapsAgainWhatADeadWorkerHad) {
  const string whole = whole_answer();
  for (const string how : kDeaths) {
    std::filesystem::remove(folder_.path("once"));
    const string more = string("--set once=@/once") +
                        (how == "hang" ? " --unit-timeout 1s --engine backup=off" : "");
    EXPECT_EQ(run(deadly(how, more)), 0) << how << ": " << error();
    EXPECT_EQ(folder_.read("out"), whole) << how;
    EXPECT_EQ(counted("workers ", " died"), 1) << how << error();
    EXPECT_GE(counted("MiB; ", " tasks again"), 1) << how << error();
  }
}

TEST_F(Isolate, LeavesOutTheSplitThatKillsAgain) {
  const struct {
    string how, cause;
  } kCauses[] = {{"crash", kCrash + ", in map of job deadly of"},
                 {"abort", "SIGABRT, in map of job deadly of"},
                 {"exit", "it ended with status 0, in map of"},
                 {"kill", "SIGKILL, in map of"},
                 {"hang", "took longer than 0.5 s, in map of"}};
  for (const auto &[how, cause] : kCauses) {
    const string more = how == "hang" ? "--unit-timeout 500ms" : "";
    EXPECT_EQ(run(deadly(how, more)), 3) << how << ": " << error();
    says("mrc: error: " + folder_.path("in") + ": bytes ");
    says(cause);
    says("it is left out");
    EXPECT_EQ(counted("to a second worker, ", " left out"), 1) << error();
    // All lines of other splits.
    i64 lines = 0;
    std::istringstream rows(folder_.read("out"));
    for (string row; std::getline(rows, row);) lines += std::stoll(row.substr(row.rfind('\t')));
    EXPECT_GT(lines, 40000 - 1200) << how;
    EXPECT_LT(lines, 40000) << how;
  }
}

TEST_F(Isolate, FailsWithStrict) {
  EXPECT_EQ(run(deadly("crash", "--strict")), 2);
  says(kCrash + ", in map of job deadly");
  EXPECT_EQ(folder_.files(), 2) << "there is an output";
}

// A plugin that refuses its input does not die of it.
TEST_F(Isolate, FailsIfThePluginSaysSo) {
  EXPECT_EQ(run(deadly("fail")), 2);
  says("job deadly: map: because of it");
  EXPECT_EQ(folder_.files(), 2) << "there is an output";
}

TEST_F(Isolate, KeepsMemoryFromAPluginThatEatsIt) {
#ifdef MRC_SANITIZED
  GTEST_SKIP() << "the sanitizer's memory has no such limit";
#endif
  EXPECT_EQ(run(deadly("eat", "--memory 128M")), 3);
  says("SIGABRT, in map of job deadly");
}

TEST_F(Isolate, EndsWhereNoWorkerLivesToMap) {
  EXPECT_EQ(run(deadly("crash", "--set where=begin")), 2);
  says("worker processes have died before they mapped anything, the last one: " + kCrash);
}

// What dies when it hands over is found by mapping each split alone.
TEST_F(Isolate, FindsWhatIsDeadlyAtTheEnd) {
  const string whole = whole_answer();
  EXPECT_EQ(run(deadly("crash", "--set where=end --set once=@/once")), 0) << error();
  EXPECT_EQ(folder_.read("out"), whole);
  EXPECT_EQ(counted("workers ", " died"), 1) << error();
}

// A worker that is stopped says nothing any more: another one does its work, too, and the first
// one to have done it counts.
TEST_F(Isolate, GivesSlowSplitsToASecondWorker) {
  const string whole = whole_answer();
  EXPECT_EQ(run(deadly("stop", "--set once=@/once")), 0) << error();
  EXPECT_EQ(folder_.read("out"), whole);
  EXPECT_GE(counted("tasks again, ", " to a second worker"), 1) << error();
  // Without that, it waits.
  std::filesystem::remove(folder_.path("once"));
  EXPECT_EQ(run(deadly("wait", "--set once=@/once --engine backup=off")), 0) << error();
  EXPECT_EQ(folder_.read("out"), whole);
  EXPECT_EQ(counted("tasks again, ", " to a second worker"), 0) << error();
}

// Kills workers at random, so long as the job lasts; more and more seldom, as a machine that is
// busy might not do anything in between.
i64 kill_workers_of(Background *job, double every_ms, std::mt19937 *random) {
  i64 kills = 0;
  const string id = std::to_string(job->id());
  const string list = "/proc/" + id + "/task/" + id + "/children";
  const auto kills_or_ends = [&] {
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<i64>(1000 * every_ms)));
    every_ms *= 1.02;
    if (job->has_ended()) return true;
    std::ifstream children(list);
    std::vector<pid_t> ids;
    for (pid_t child; children >> child;) ids.push_back(child);
    if (!ids.empty()) kills += kill(ids[(*random)() % ids.size()], SIGKILL) == 0;
    return false;
  };
  wait_until("the job ends", kills_or_ends, std::chrono::microseconds(0), kLongestCommand);
  job->wait();
  return kills;
}

TEST_F(Isolate, LosesNothingWhenWorkersAreKilled) {
  string text;
  for (i64 i = 0; i < 2000000; ++i) text += "g" + std::to_string(i * 7919 % 1009) + "\t1.5\n";
  folder_.write("large", text);
  std::mt19937 random(17);
  i64 kills = 0;
  for (const string what :
       {"stats -f tsv --header-in no -k 1 -a count,sum:2,p50:2 -o",
        "sort -f tsv --header-in no -k 1 -o",
        "select -f tsv --header-in no -k 1 -w '$1 =~ \"7\"' -o", "grep -n 77 --output"}) {
    ASSERT_EQ(run("$MRC " + what + " @/whole @/large"), 0);
    for (int round = 0; round < 2; ++round) {
      Background job(at("$MRC " + what + " @/out --isolate -j2 --split 64K @/large 2>@/err"));
      kills += kill_workers_of(&job, 4, &random);
      EXPECT_TRUE(folder_.read("out") == folder_.read("whole")) << what << error();
    }
  }
  EXPECT_GT(kills, 10);
}

// A table that has been sealed as it was, and then leaves memory, counts once.
TEST_F(Isolate, CountsOnceWhatOutgrowsMemory) {
  string text;
  for (i64 i = 0; i < 3000000; ++i) text += std::to_string(i * 7919 % 400009) + "\n";
  folder_.write("large", text);
  ASSERT_EQ(run("$MRC count -k 1 -f fields -o @/whole @/large"), 0);
  std::mt19937 random(18);
  for (int round = 0; round < 2; ++round) {
    Background job(
        at("$MRC count -k 1 -f fields --isolate -j2 --split 64K --memory 4M -o "
           "@/out @/large 2>@/err"));
    kill_workers_of(&job, 20, &random);
    EXPECT_TRUE(folder_.read("out") == folder_.read("whole")) << error();
  }
}

// A process that a plugin has forked (tests/plugins/forks.c).
class Forks : public Isolate {
 protected:
  Forks() {
    for (int i = 0; i < 20000; ++i) lines_ += "line " + std::to_string(i * 7919 % 3001) + "\n";
    folder_.write("in", lines_ + "fork\n" + lines_);
    EXPECT_EQ(run("$MRC count --by count -o @/whole @/in"), 0);
  }
  int fork(const string &how, const string &more) const {
    return run("$MRC run --force-plugin " MRC_TEST_PLUGINS
               "/forks.so --by count -o @/out --set how=" +
               how + " -j2 --split 8K " + more + " @/in 2>@/err");
  }
  // How many processes run a program with this word in its command line, besides this one.
  static i64 processes_with(const string &word) {
    i64 count = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
      std::ifstream file(entry.path() / "cmdline");
      const string line((std::istreambuf_iterator<char>(file)), {});
      count += line.find(word) != string::npos;
    }
    return count;
  }
  string lines_;
};

constexpr const char *kWays[] = {"", "--isolate", "--memory 1M", "-j1"};

TEST_F(Forks, AreNamedIfTheyComeBack) {
  for (const char *way : kWays) {
    EXPECT_EQ(fork("wait", way), 2) << way << error();
    says("job forks: map: has made a second process by fork(), which came back");
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out"))) << way;
  }
}

// One that comes back after all was done changes nothing.
TEST_F(Forks, NeverChangeTheAnswer) {
  for (const char *way : kWays) {
    for (const char *how : {"return", "fail"}) {
      const int status = fork(how, way);
      const bool is_right = status == 2 || folder_.read("out") == folder_.read("whole");
      EXPECT_TRUE(is_right) << how << way << status << error();
      std::filesystem::remove(folder_.path("out"));
    }
  }
}

TEST_F(Forks, HowEverTheyAreMadeDoNotSpeakForAWorker) {
  const int status = fork("clone", "--isolate");
  EXPECT_TRUE(status == 2 || folder_.read("out") == folder_.read("whole")) << status << error();
}

TEST_F(Forks, HarmNothingIfTheyEnd) {
  for (const char *isolate : {"", "--isolate"}) {
    for (const char *how : {"exec", "exit", "crash"}) {
      EXPECT_EQ(fork(how, isolate), 0) << how << isolate << error();
      EXPECT_EQ(folder_.read("out"), folder_.read("whole")) << how << isolate;
    }
  }
}

TEST_F(Forks, DoNotOutliveTheirWorker) {
  EXPECT_EQ(fork("stay", "--isolate"), 0) << error();
  EXPECT_EQ(folder_.read("out"), folder_.read("whole"));
  EXPECT_TRUE(wait_until("no process that a plugin has made stays",
                         [&] { return processes_with(folder_.path("in")) == 0; }));
}

TEST_F(Isolate, DiesWithItsWorkers) {
  const TemporaryFolder folder;
  Background job(at("$MRC run --force-plugin " + kPlugin +
                    " deadly --set how=hang --isolate -j2 "
                    "--split 8K -o @/out @/in"));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  const string id = std::to_string(job.id());
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  std::vector<pid_t> ids;
  for (pid_t child; children >> child;) ids.push_back(child);
  EXPECT_EQ(ids.size(), 2u);
  job.send(SIGKILL);
  job.wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (const pid_t each : ids) {  // a dead one may still be waited for
    std::ifstream status("/proc/" + std::to_string(each) + "/stat");
    string number, name, state;
    status >> number >> name >> state;
    EXPECT_TRUE(state.empty() || state == "Z") << "a worker lives on";
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
}

}  // namespace
}  // namespace mrc
