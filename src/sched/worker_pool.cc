#include "base/setting_name.h"
#include "sched/sched.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace mrc {
namespace {

Status run_guarded(const std::function<Status(i64)> &task, i64 worker) {
  return guarded([&] { return task(worker); });
}

using TimePoints = std::vector<std::chrono::steady_clock::time_point>;

double tail_of(const TimePoints &ends) {
  const auto last = *std::ranges::max_element(ends);
  std::chrono::duration<double> waited{0};
  for (const auto &end : ends) waited += last - end;
  return waited.count() / static_cast<double>(ends.size());
}

}  // namespace

struct WorkerPool::Threads {
  using Clock = std::chrono::steady_clock;

  i64 workers = 1;
  bool keep = true;
  std::function<void()> enter;
  std::vector<std::thread> threads;  // worker i + 1

  std::mutex mutex;
  std::condition_variable phase_begins, phase_ends;
  i64 phase = 0;  // counts run() calls
  i64 invited = 0;
  i64 running = 0;
  bool closing = false;
  const std::function<Status(i64)> *task = nullptr;
  std::vector<Status> results;
  std::vector<Clock::time_point> ends;  // when the tasks of this phase ended
  double tail = 0;                      // seconds

  // `seen` is the phase that had ended when the thread was made.
  void serve(i64 worker, i64 seen) {
    if (enter) enter();
    std::unique_lock lock(mutex);
    for (;;) {
      phase_begins.wait(lock, [&] { return closing || phase != seen; });
      if (closing) return;
      seen = phase;
      if (worker >= invited) continue;
      lock.unlock();
      Status status = run_guarded(*task, worker);
      const Clock::time_point end = Clock::now();
      lock.lock();
      ends[static_cast<size_t>(worker)] = end;
      results[static_cast<size_t>(worker)] = std::move(status);
      if (--running == 0) phase_ends.notify_one();
    }
  }
};

WorkerPool::WorkerPool(i64 workers, bool keep_threads, std::function<void()> enter)
    : threads_(std::make_unique<Threads>()) {
  threads_->enter = std::move(enter);
  threads_->workers = std::max<i64>(1, workers);
  threads_->keep = keep_threads;
}

WorkerPool::~WorkerPool() { stop_threads(); }

void WorkerPool::stop_threads() {
  {
    std::lock_guard lock(threads_->mutex);
    threads_->closing = true;
  }
  threads_->phase_begins.notify_all();
  for (std::thread &thread : threads_->threads) thread.join();
  threads_->threads.clear();
  threads_->closing = false;
}

double WorkerPool::take_tail() { return std::exchange(threads_->tail, 0.0); }

i64 WorkerPool::size() const { return threads_->workers; }

Status WorkerPool::run(i64 workers, const std::function<Status(i64)> &task) {
  Threads &t = *threads_;
  workers = std::clamp<i64>(workers, 1, t.workers);
  if (workers == 1) return run_guarded(task, 0);

  while (static_cast<i64>(t.threads.size()) < workers - 1) {
    i64 worker = static_cast<i64>(t.threads.size()) + 1;
    try {
      t.threads.emplace_back([&t, worker, seen = t.phase] { t.serve(worker, seen); });
    } catch (const std::system_error &) {
      return Status::error("cannot start thread " + std::to_string(worker + 1) + " of " +
                           std::to_string(workers) + ": use fewer threads (" +
                           setting_name("threads") + ")");
    }
  }
  {
    std::lock_guard lock(t.mutex);
    t.results.assign(static_cast<size_t>(workers), Status::ok());
    t.ends.resize(static_cast<size_t>(workers));
    t.task = &task;
    t.invited = workers;
    t.running = workers - 1;
    ++t.phase;
  }
  t.phase_begins.notify_all();
  Status own = run_guarded(task, 0);
  const auto end = Threads::Clock::now();

  std::unique_lock lock(t.mutex);
  t.phase_ends.wait(lock, [&] { return t.running == 0; });
  t.ends[0] = end;
  t.results[0] = std::move(own);
  lock.unlock();
  t.tail += tail_of(t.ends);
  if (!t.keep) stop_threads();
  for (Status &status : t.results) {
    if (!status.is_ok()) return std::move(status);
  }
  return Status::ok();
}

Status WorkerPool::run_each(i64 count, const std::function<Status(i64)> &task) {
  std::atomic<i64> next{0};
  return run(std::min(size(), count), [&](i64) {
    for (i64 i; (i = next.fetch_add(1)) < count;) {
      if (Status status = task(i); !status.is_ok()) return status;
    }
    return Status::ok();
  });
}

// Linux applies PRIO_PROCESS to one thread.
void lower_priority() {
  constexpr int kLeast = 19;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLeast);
}

i64 nice_value() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

}  // namespace mrc
