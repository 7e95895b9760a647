// sched: where work runs. Which CPUs this process may use, and the threads.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// The numbers of the CPUs in the affinity mask, ascending; at least one.
std::vector<i64> allowed_cpus();

// How many CPUs that is, at most the cgroup's quota (rounded up), at least 1.
i64 available_cpus();

// The cgroup's CPU quota in whole CPUs, 0 if there is none. `root` stands for
// "/" in tests. Reads versions 1 and 2, and the limits of all parent groups.
i64 cgroup_cpu_quota(const std::string &root = "/");

// Bytes that a job may take without pushing others out: 60 % of what the kernel calls
// available, but not more than 90 % of what the control groups of this process, and their
// parents, have left, less 64 MiB, and not more than half of the addresses that this process may
// still map, less what so many threads take of them. INT64_MAX if nothing is known. `root` stands
// for "/" in tests.
i64 available_memory(i64 threads, const std::string &root = "/");

// Gives the calling thread the least priority: it runs while other threads leave it a CPU. No
// right is needed, and there is no way back.
void lower_priority();
// The nice value of the calling thread: 19 is the least priority.
i64 nice_value();

// Threads that live as long as the pool and are reused by every phase of a job
// (Metis 4; Phoenix III-C). They sleep between phases; nothing spins. A task that
// binds itself to a CPU (sched/place.h) stays there. Worker 0 is the thread that
// calls run().
class WorkerPool {
 public:
  // `keep_threads`: unless it is false, for comparison, threads live from phase to phase.
  // Each thread calls `enter`, if there is one, before its first task; worker 0 does not.
  explicit WorkerPool(i64 workers, bool keep_threads = true, std::function<void()> enter = {});
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  i64 size() const;

  // Calls task(worker) once on each of the first `workers` workers and returns
  // when all are done: the first error in worker order, if any. Threads start at
  // the first phase that needs them. One call at a time.
  Status run(i64 workers, const std::function<Status(i64 worker)> &task);

  // Calls task(i) once for each i below `count`, on whichever worker is free. A worker whose task
  // fails takes no other.
  Status run_each(i64 count, const std::function<Status(i64 i)> &task);

  // Seconds in which a worker has waited for the last one, on average over workers, since the
  // last call: in each run() the time from the mean end of tasks to the last.
  double take_tail();

 private:
  void stop_threads();

  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace mrc
