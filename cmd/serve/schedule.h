// Which jobs of the server run now, and on which CPUs.
//
// Running jobs have disjoint sets of CPUs (Tiled-MapReduce 4.4: concurrent jobs on disjoint cores).
// A job that is ready takes free CPUs, else half of those of the job that has most, else the CPU of
// the job that has run longest, which then pauses. So short jobs never wait for the end of long
// ones. Clients take turns, and so do the jobs of each.
#pragma once

#include "base/int.h"

#include <chrono>
#include <optional>
#include <vector>

namespace mrc {

class Schedule {
 public:
  using Clock = std::chrono::steady_clock;

  // `cpus`: those of all jobs. At most `most_begun` jobs have begun and not ended. A job runs for
  // `slice` before another one may take its last CPU.
  Schedule(std::vector<i64> cpus, i64 most_begun, Clock::duration slice);

  void add(i64 job, i64 client);
  void remove(i64 job);

  // A change that the server makes next: a job gets exactly these CPUs, or none if it is paused.
  struct Step {
    enum class What { begin, resume, pause, move } what;
    i64 job;
    std::vector<i64> cpus;
  };
  std::vector<Step> next(Clock::time_point now);
  // Returns when a running job can be paused for one that waits; nothing if none waits for that.
  std::optional<Clock::time_point> next_look() const { return next_look_; }

  enum class State { waiting, running, paused };
  State state(i64 job) const;
  // Returns the number of the job's CPUs.
  i64 cpus(i64 job) const;

 private:
  struct Job {
    i64 id, client;
    State state = State::waiting;
    std::vector<i64> cpus = {};
    i64 wanted = 0;                // CPUs that it had at first: the number of its workers
    i64 ready = 0;                 // order among the jobs of its client
    Clock::time_point since = {};  // begin of its slice
  };

  const Job *find(i64 job) const;
  Job *next_ready();
  i64 count(State state) const;
  std::vector<i64> take_free();
  std::vector<i64> take_from_largest(std::vector<Step> *steps);
  std::vector<i64> take_from_longest(Clock::time_point now, std::vector<Step> *steps);
  void spread(std::vector<Step> *steps);
  i64 turn_of(i64 client) const;

  std::vector<i64> free_;
  const i64 most_begun_;
  const Clock::duration slice_;
  std::vector<Job> jobs_;
  std::vector<std::pair<i64, i64>> turns_;  // client, and when it had its last turn
  i64 turn_ = 0;
  std::optional<Clock::time_point> next_look_;
};

}  // namespace mrc
