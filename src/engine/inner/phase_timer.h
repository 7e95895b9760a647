// Times the phases of a run, by wall clock and by CPU time of this process and of the children that
// it has waited for.
#pragma once

#include "engine/engine.h"
#include "sched/sched.h"

#include <sys/resource.h>

#include <chrono>

namespace mrc {

class PhaseTimer {
 public:
  // `pool`: its workers serve the phases; null: there are none.
  explicit PhaseTimer(std::vector<Phase> *phases, WorkerPool *pool = nullptr)
      : phases_(phases), pool_(pool) {}
  ~PhaseTimer() { end(); }

  // Begins a phase and ends the previous one.
  void begin(const char *name) {
    end();
    phases_->push_back({name});
    wall_ = Clock::now();
    usage_ = usage();
    open_ = true;
  }

  void end() {
    if (!open_) return;
    open_ = false;
    const Usage now = usage();
    Phase &phase = phases_->back();
    phase.wall = std::chrono::duration<double>(Clock::now() - wall_).count();
    if (pool_ != nullptr) phase.tail = pool_->take_tail();
    phase.user = now.user - usage_.user;
    phase.system = now.system - usage_.system;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Usage {
    double user = 0, system = 0;
  };
  static Usage usage() {
    Usage all;
    for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
      struct rusage usage;
      if (getrusage(whose, &usage) != 0) continue;
      all.user += seconds(usage.ru_utime);
      all.system += seconds(usage.ru_stime);
    }
    return all;
  }
  static double seconds(const timeval &t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }

  std::vector<Phase> *phases_;
  WorkerPool *pool_;
  Clock::time_point wall_;
  Usage usage_;
  bool open_ = false;
};

}  // namespace mrc
