#include "cmd/serve/schedule.h"

#include "support/random.h"
#include "support/seed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace mrc {
namespace {

using What = Schedule::Step::What;
using State = Schedule::State;
using std::chrono::milliseconds;

constexpr Schedule::Clock::time_point kStart = {};
constexpr auto kSlice = milliseconds(100);

std::string text_of(const std::vector<Schedule::Step> &steps) {
  const char *const names[] = {"begin", "resume", "pause", "move"};
  std::string text;
  for (const Schedule::Step &step : steps) {
    text += fmt::format("{} {} [{}]; ", names[static_cast<int>(step.what)], step.job,
                        fmt::join(step.cpus, " "));
  }
  return text;
}

TEST(Schedule, GivesAllCpusToAJobThatIsAlone) {
  Schedule schedule({0, 1, 2, 3}, 8, kSlice);
  schedule.add(1, 7);
  EXPECT_EQ(text_of(schedule.next(kStart)), "begin 1 [0 1 2 3]; ");
  EXPECT_EQ(text_of(schedule.next(kStart)), "");
}

TEST(Schedule, DividesFreeCpusAmongJobsThatAreReady) {
  Schedule schedule({0, 1, 2, 3}, 8, kSlice);
  schedule.add(1, 7);
  schedule.add(2, 7);
  EXPECT_EQ(text_of(schedule.next(kStart)), "begin 1 [0 1]; begin 2 [2 3]; ");
}

TEST(Schedule, TakesHalfOfTheLargestAndGivesItBack) {
  Schedule schedule({0, 1, 2, 3}, 8, kSlice);
  schedule.add(1, 7);
  schedule.next(kStart);
  schedule.add(2, 7);
  EXPECT_EQ(text_of(schedule.next(kStart)), "move 1 [0 1]; begin 2 [2 3]; ");
  schedule.remove(2);
  EXPECT_EQ(text_of(schedule.next(kStart)), "move 1 [0 1 2 3]; ");
}

TEST(Schedule, PausesTheJobThatHasRunLongest) {
  Schedule schedule({0}, 8, kSlice);
  schedule.add(1, 7);
  schedule.next(kStart);
  schedule.add(2, 8);
  EXPECT_EQ(text_of(schedule.next(kStart + milliseconds(99))), "");
  EXPECT_EQ(schedule.next_look(), kStart + kSlice);
  EXPECT_EQ(text_of(schedule.next(kStart + kSlice)), "pause 1 []; begin 2 [0]; ");
  EXPECT_EQ(schedule.state(1), State::paused);
  schedule.remove(2);
  EXPECT_EQ(text_of(schedule.next(kStart + kSlice)), "resume 1 [0]; ");
  EXPECT_FALSE(schedule.next_look());
}

TEST(Schedule, LetsClientsTakeTurns) {
  Schedule schedule({0}, 8, kSlice);
  for (i64 job = 1; job <= 3; ++job) schedule.add(job, 7);
  schedule.add(4, 8);
  EXPECT_EQ(text_of(schedule.next(kStart)), "begin 1 [0]; ");
  schedule.remove(1);
  EXPECT_EQ(text_of(schedule.next(kStart)), "begin 4 [0]; ");
  schedule.remove(4);
  EXPECT_EQ(text_of(schedule.next(kStart)), "begin 2 [0]; ");
}

TEST(Schedule, BeginsNoMoreJobsThanItMay) {
  Schedule schedule({0, 1, 2}, 2, kSlice);
  for (i64 job = 1; job <= 3; ++job) schedule.add(job, job);
  EXPECT_EQ(text_of(schedule.next(kStart)), "begin 1 [0]; begin 2 [1 2]; ");
  EXPECT_EQ(text_of(schedule.next(kStart + 10 * kSlice)), "");
  schedule.remove(1);
  EXPECT_EQ(text_of(schedule.next(kStart + 10 * kSlice)), "begin 3 [0]; ");
}

// Random jobs that take random time: running jobs have disjoint CPUs, no CPU is idle while a job is
// ready, and each job ends.
TEST(Schedule, KeepsItsRulesForRandomJobs) {
  Random random(first_seed());
  for (int round = 0; round < 50; ++round) {
    const i64 cpus = pick(random, 1, 9), most = pick(random, 1, 12);
    std::vector<i64> all;
    for (i64 cpu = 0; cpu < cpus; ++cpu) all.push_back(cpu);
    Schedule schedule(all, most, kSlice);
    std::map<i64, i64> left;               // ms of work by job
    std::map<i64, std::vector<i64>> sets;  // of running jobs
    std::set<i64> begun;
    i64 last = 0;
    for (i64 ms = 0; ms < 3000 || !left.empty(); ms += 10) {
      ASSERT_LT(ms, 10000000) << "a job starves";
      if (ms < 3000 && one_in(random, 4)) {
        left[++last] = one_in(random, 5) ? 5000 : pick(random, 1, 100);
        schedule.add(last, pick(random, 1, 4));
      }
      for (const Schedule::Step &step : schedule.next(kStart + milliseconds(ms))) {
        if (step.what == What::begin) {
          ASSERT_TRUE(begun.insert(step.job).second);
        }
        sets[step.job] = step.cpus;
        if (step.what == What::pause) sets.erase(step.job);
      }
      std::set<i64> used;
      for (const auto &[job, set] : sets) {
        ASSERT_FALSE(set.empty());
        ASSERT_EQ(schedule.cpus(job), std::ssize(set));
        for (const i64 cpu : set) ASSERT_TRUE(used.insert(cpu).second) << "shared";
      }
      ASSERT_LE(std::ssize(begun), most);
      ASSERT_GE(std::ssize(sets), std::min(cpus, std::ssize(begun)));
      std::vector<i64> ended;
      for (const auto &[job, set] : sets) {
        left[job] -= 10;
        if (left[job] <= 0) ended.push_back(job);
      }
      for (const i64 job : ended) {
        schedule.remove(job);
        sets.erase(job), left.erase(job), begun.erase(job);
      }
    }
  }
}

}  // namespace
}  // namespace mrc
