// sched: CPUs and memory that this process may use, and its threads.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Returns the CPUs of the affinity mask, ascending; at least one.
std::vector<i64> allowed_cpus();

// Returns the number of these CPUs, at most the cgroup's quota (rounded up) and at least 1.
i64 available_cpus();

// Returns the cgroup's CPU quota in whole CPUs, 0 if there is none. `root` replaces "/" in tests.
// Reads versions 1 and 2, and the limits of all parent groups.
i64 cgroup_cpu_quota(const std::string &root = "/");

// Returns the bytes that a job may use without evicting other processes: 60 % of the kernel's
// MemAvailable, at most 90 % of the memory left in the control groups of this process and their
// parents minus 64 MiB, and at most half of the address space left to this process after 64 MiB and
// a share for each thread. INT64_MAX if nothing is known. `root` replaces "/" in tests.
i64 available_memory(i64 threads, const std::string &root = "/");

// The memory that others leave to a job of this process: available_memory() returns no more. At
// first INT64_MAX. Set it while there is one thread.
void limit_memory_share(i64 bytes);
i64 memory_share();

// Gives the calling thread the lowest priority: it runs only on CPUs that other threads leave idle.
// Needs no privilege, and cannot be undone.
void lower_priority();
// Returns the nice value of the calling thread: 19 is the lowest priority.
i64 nice_value();

// Threads that live as long as the pool and are reused by every phase of a job
// (Metis 4; Phoenix III-C). They sleep between phases; nothing spins. A task that
// binds itself to a CPU (topology.h) stays there. Worker 0 is the thread that
// calls run().
class WorkerPool {
 public:
  // Keeps threads from phase to phase, unless `keep_threads` is false (for comparison). Each thread
  // except worker 0 calls `enter`, if it is set, before its first task.
  explicit WorkerPool(i64 workers, bool keep_threads = true, std::function<void()> enter = {});
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  i64 size() const;

  // Calls task(worker) once on each of the first `workers` workers and waits for all of them.
  // Returns the first error in worker order. Threads start at the first phase that needs them. One
  // call at a time.
  Status run(i64 workers, const std::function<Status(i64 worker)> &task);

  // Calls task(i) once for each i below `count`, on any free worker. A worker whose task fails
  // takes no more.
  Status run_each(i64 count, const std::function<Status(i64 i)> &task);

  // Returns the seconds that an average worker has waited for the last one since the previous call:
  // in each run(), the time from the mean end of tasks to the last end.
  double take_tail();

 private:
  void stop_threads();

  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace mrc
