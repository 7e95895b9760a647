// Times the phases of a run, by wall clock and by CPU of the whole process.
#pragma once

#include "engine/engine.h"
#include "sched/sched.h"

#include <sys/resource.h>

#include <chrono>

namespace mrc {

class PhaseTimer {
 public:
  // `pool`: whose workers serve the phases; null: there are none.
  explicit PhaseTimer(std::vector<Phase> *phases, WorkerPool *pool = nullptr)
      : phases_(phases), pool_(pool) {}
  ~PhaseTimer() { end(); }

  // Ends the phase before, if any.
  void begin(const char *name) {
    end();
    phases_->push_back({name});
    wall_ = Clock::now();
    getrusage(RUSAGE_SELF, &usage_);
    open_ = true;
  }

  void end() {
    if (!open_) return;
    open_ = false;
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    Phase &phase = phases_->back();
    phase.wall = std::chrono::duration<double>(Clock::now() - wall_).count();
    if (pool_ != nullptr) phase.tail = pool_->take_tail();
    phase.user = seconds(now.ru_utime) - seconds(usage_.ru_utime);
    phase.system = seconds(now.ru_stime) - seconds(usage_.ru_stime);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(const timeval &t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }

  std::vector<Phase> *phases_;
  WorkerPool *pool_;
  Clock::time_point wall_;
  struct rusage usage_ = {};
  bool open_ = false;
};

}  // namespace mrc
