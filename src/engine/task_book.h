// engine: which map tasks are given to which worker processes, which of them count, and which are
// to be run again.
//
// A worker maps the tasks that it is given, one after another, and seals from time to time what it
// has made of all since the last time. What it has sealed counts, whatever becomes of it. If it
// dies, the tasks that it has not sealed go to others. Unless it was killed, and that for the first
// time, each of these is then sealed by itself, so that one that kills again is known. MaRCO 2 has
// both: tasks that are run again, and backup tasks.
#pragma once

#include "base/int.h"

#include <deque>
#include <optional>
#include <vector>

namespace mrc {

// Why a worker is gone.
enum class Death {
  fault,     // of its own: a crash, an exit, too much memory or time
  outside,   // killed by another process, or so it seems
  unneeded,  // its work does not count any more, or it has not begun
};

// Not thread safe.
class TaskBook {
 public:
  // A task that workers died of so often is left out.
  static constexpr i64 kMostFaults = 2;
  // The same, where it may be chance: so often in a row with no other worker killed meanwhile, or
  // so often at all.
  static constexpr i64 kMostKillsInARow = 20, kMostKills = 200;

  // Tasks are numbered from 0, have so many bytes, and are given in that order. `backups`: tasks
  // that take long for their size are given to a second worker when there are no others.
  explicit TaskBook(const std::vector<i64> &bytes, bool backups = true);

  // What a worker is to do next.
  struct Step {
    enum class Kind { map, seal, wait };
    Kind kind = Kind::wait;
    i64 task = -1;  // to map
  };
  // REQUIRES: it is done before the next call. `now`: in seconds.
  Step next(i64 worker, double now);
  // The worker has mapped the first of those that it was given.
  void mapped(i64 worker, double now);
  // Workers of which nothing counts any more that they have not sealed: others have made something
  // of the same tasks. REQUIRES: these died() before the next call
  using Unneeded = std::vector<i64>;
  // The worker has sealed all that it has mapped.
  Unneeded sealed(i64 worker);
  // The worker is gone, and has the number of a new one.
  struct Loss {
    std::optional<i64> left_out;  // a task
    Unneeded unneeded = {};
  };
  Loss died(i64 worker, Death death);

  // Which task the worker is at, mapping it or, if it is the only one, sealing it.
  std::optional<i64> current(i64 worker) const;
  // Since when it has done nothing else than now; nullopt: it has nothing to do.
  std::optional<double> busy_since(i64 worker) const;
  // No worker needs to map this task, nor those after it, that none has begun.
  void forget_from(i64 task);
  bool is_complete() const { return open_ == 0; }

  i64 repeated() const { return repeated_; }  // tasks that were given once more after a death
  i64 backups() const { return backups_; }    // that were given to a second worker
  i64 left_out() const { return left_out_; }

 private:
  struct Task {
    i64 bytes = 0;
    bool was_returned = false;
    bool is_closed = false;  // it counts, or is left out
    i64 faults = 0, kills = 0;
    i64 row = 0, last = 0;  // kills in a row, up to that one of all
  };
  struct Worker {
    std::deque<i64> given;    // the first is what it is at
    std::vector<i64> done;    // mapped, and not sealed
    std::deque<i64> planned;  // as a backup
    bool is_alone = false;    // what it has is sealed by itself
    bool is_sealing = false;
    double since = 0;  // it is at what it is at
    bool is_idle() const { return given.empty() && done.empty() && planned.empty(); }
    // Whether something is made of the task, or will be.
    bool has(i64 task) const;
  };
  Worker &of(i64 worker);
  bool proves_deadly(Task *task, Death death);
  Step give(Worker *worker, i64 task, double now);
  Step seal(Worker *worker, double now);
  std::optional<i64> take_new();
  void take_back(const Worker &gone, Death death);
  void plan_backup(Worker *worker, double now);
  double slow_after(const Worker &worker) const;
  bool may_have_backup(const Worker &worker, double now) const;
  i64 holders(i64 task) const;
  Task &task(i64 number) { return tasks_[static_cast<size_t>(number)]; }
  const Task &task(i64 number) const { return tasks_[static_cast<size_t>(number)]; }
  // They count, or are left out. `by`: the worker that has made something of them that counts.
  Unneeded close(const std::vector<i64> &tasks, const Worker *by);

  std::vector<Task> tasks_;
  const bool has_backups_;
  std::deque<Worker> workers_;
  i64 next_ = 0, end_;        // tasks that none has begun
  std::deque<i64> returned_;  // tasks of workers that others have killed, for the first time
  std::deque<i64> again_;     // other tasks of the dead, of which each is sealed by itself
  i64 open_;
  i64 kills_ = 0;
  i64 repeated_ = 0, backups_ = 0, left_out_ = 0;
  double mapped_seconds_ = 0;
  i64 mapped_bytes_ = 0;
};

}  // namespace mrc
