// engine: assigns map tasks to worker processes, and keeps track of which ones count and which ones
// must run again.
//
// A worker maps its tasks one after another, and from time to time seals the results since its last
// seal. Sealed results count, even if the worker dies later. If a worker dies, the tasks that it
// has not sealed go to other workers. These then seal each of the tasks by itself, to find the one
// that kills, unless the worker was killed from outside and the task is returned for the first
// time. MaRCO 2 has both: tasks that run again, and backup tasks.
#pragma once

#include "base/int.h"

#include <deque>
#include <optional>
#include <vector>

namespace mrc {

// Why a worker has died.
enum class Death {
  fault,     // by itself: a crash, an exit, too much memory or time
  outside,   // apparently killed by another process
  unneeded,  // its results do not count any more, or it has not begun
};

// Not thread safe.
class TaskBook {
 public:
  // A task is left out after this number of faults of its workers.
  static constexpr i64 kMostFaults = 2;
  // Kills may be chance: a task is left out after the first number of kills in a row, without a
  // kill of another worker between them, or after the second number in all.
  static constexpr i64 kMostKillsInARow = 20, kMostKills = 200;

  // Tasks are numbered from 0 and assigned in that order. `bytes`: size of each task. `backups`:
  // when no new tasks are left, tasks that are slow for their size go to a second worker, too.
  explicit TaskBook(const std::vector<i64> &bytes, bool backups = true);

  // The next step of a worker.
  struct Step {
    enum class Kind { map, seal, wait };
    Kind kind = Kind::wait;
    i64 task = -1;  // to map
  };
  // Returns the next step of a worker. REQUIRES: it is done before the next call. `now`: in seconds
  Step next(i64 worker, double now);
  // Notes that the worker has mapped the first of its tasks.
  void mapped(i64 worker, double now);
  // Workers whose unsealed results cannot count any more, because others have sealed some of the
  // same tasks. REQUIRES: died() is called for these before the next call
  using Unneeded = std::vector<i64>;
  // Notes that the worker has sealed all that it has mapped.
  Unneeded sealed(i64 worker);
  // Consequences of a worker's death.
  struct Loss {
    std::optional<i64> left_out;  // a task that no worker will map any more
    Unneeded unneeded = {};
  };
  Loss died(i64 worker, Death death);

  // The task that the worker is mapping, or sealing if it seals only one.
  std::optional<i64> current(i64 worker) const;
  // When the worker began its current task or seal; nullopt: it has nothing to do.
  std::optional<double> busy_since(i64 worker) const;
  // Drops this task and all after it, except those that have been assigned.
  void forget_from(i64 task);
  bool is_complete() const { return open_ == 0; }

  i64 repeated() const { return repeated_; }  // tasks that were assigned again after a death
  i64 backups() const { return backups_; }    // tasks that were assigned to a second worker
  i64 left_out() const { return left_out_; }

 private:
  struct Task {
    i64 bytes = 0;
    bool was_returned = false;
    bool is_closed = false;  // it counts, or is left out
    i64 faults = 0, kills = 0;
    i64 row = 0, last = 0;  // kills in a row; kills_ at the latest of them
  };
  struct Worker {
    std::deque<i64> given;    // to map; the first is the current one
    std::vector<i64> done;    // mapped, and not sealed
    std::deque<i64> planned;  // to map as a backup
    bool is_alone = false;    // seals each task by itself
    bool is_sealing = false;
    double since = 0;  // when it began its current task or seal
    bool is_idle() const { return given.empty() && done.empty() && planned.empty(); }
    // True if the worker has results of the task, or will have.
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
  // Marks the tasks as counted or left out. `by`: the worker whose results count; null: none.
  Unneeded close(const std::vector<i64> &tasks, const Worker *by);

  std::vector<Task> tasks_;
  const bool has_backups_;
  std::deque<Worker> workers_;
  i64 next_ = 0, end_;        // tasks that were never assigned
  std::deque<i64> returned_;  // of workers killed from outside, for the first time
  std::deque<i64> again_;     // other tasks of dead workers; each is sealed by itself
  i64 open_;
  i64 kills_ = 0;
  i64 repeated_ = 0, backups_ = 0, left_out_ = 0;
  double mapped_seconds_ = 0;
  i64 mapped_bytes_ = 0;
};

}  // namespace mrc
