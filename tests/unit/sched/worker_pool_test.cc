#include "sched/sched.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace mrc {
namespace {

// How often each worker was called.
std::vector<int> calls_of(WorkerPool *pool, i64 workers) {
  std::vector<std::atomic<int>> calls(static_cast<size_t>(pool->size()) + 8);
  Status status = pool->run(workers, [&](i64 worker) {
    ++calls[static_cast<size_t>(worker)];
    return Status::ok();
  });
  EXPECT_TRUE(status.is_ok());
  std::vector<int> seen(calls.begin(), calls.end());
  while (!seen.empty() && seen.back() == 0) seen.pop_back();
  return seen;
}

TEST(WorkerPool, CallsEachWorkerOnce) {
  for (i64 size : {1, 2, 3, 16}) {
    WorkerPool pool(size);
    EXPECT_EQ(pool.size(), size);
    EXPECT_EQ(calls_of(&pool, size), std::vector<int>(static_cast<size_t>(size), 1));
  }
}

TEST(WorkerPool, CallsTheFirstWorkersOnly) {
  WorkerPool pool(8);
  for (i64 workers : {3, 8, 1, 2, 7}) {
    EXPECT_EQ(calls_of(&pool, workers), std::vector<int>(static_cast<size_t>(workers), 1));
  }
}

TEST(WorkerPool, HasAtLeastOneWorkerAndNeverMoreThanItsSize) {
  WorkerPool none(0), pool(3);
  EXPECT_EQ(none.size(), 1);
  EXPECT_EQ(calls_of(&none, 5), std::vector<int>(1, 1));
  EXPECT_EQ(calls_of(&pool, 0), std::vector<int>(1, 1));
  EXPECT_EQ(calls_of(&pool, 100), std::vector<int>(3, 1));
}

TEST(WorkerPool, IsReusedPhaseAfterPhase) {
  WorkerPool pool(4);
  std::atomic<i64> sum{0};
  for (i64 phase = 0; phase < 2000; ++phase) {
    // What a phase wrote is there in the next, without any lock of the tasks.
    Status status = pool.run(1 + phase % 4, [&](i64 worker) {
      sum += worker + 1;
      return Status::ok();
    });
    ASSERT_TRUE(status.is_ok());
  }
  EXPECT_EQ(sum, 500 * (1 + 3 + 6 + 10));
}

TEST(WorkerPool, KeepsItsThreads) {
  WorkerPool pool(4);
  std::mutex mutex;
  std::array<std::set<std::thread::id>, 4> threads;
  for (int phase = 0; phase < 50; ++phase) {
    Status status = pool.run(4, [&](i64 worker) {
      std::lock_guard lock(mutex);
      threads[static_cast<size_t>(worker)].insert(std::this_thread::get_id());
      return Status::ok();
    });
    ASSERT_TRUE(status.is_ok());
  }
  for (const auto &ids : threads) EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(*threads[0].begin(), std::this_thread::get_id());
}

TEST(WorkerPool, ReturnsTheFirstErrorInWorkerOrder) {
  WorkerPool pool(4);
  std::atomic<int> done{0};
  auto fail_from = [&](i64 first) {
    return pool.run(4, [&](i64 worker) {
      ++done;
      // Later workers fail earlier.
      std::this_thread::sleep_for(std::chrono::milliseconds(4 - worker));
      return worker < first ? Status::ok() : Status::error("worker " + std::to_string(worker));
    });
  };
  for (i64 first : {0, 1, 2, 3}) {
    Status status = fail_from(first);
    ASSERT_FALSE(status.is_ok());
    EXPECT_EQ(status.message(), "worker " + std::to_string(first));
  }
  EXPECT_EQ(done, 16);
  EXPECT_TRUE(fail_from(4).is_ok()) << "an error of a phase must not stay";
}

TEST(WorkerPool, TurnsBadAllocIntoAnError) {
  WorkerPool pool(3);
  for (i64 victim : {0, 2}) {
    Status status = pool.run(3, [&](i64 worker) -> Status {
      if (worker == victim) throw std::bad_alloc();
      return Status::ok();
    });
    ASSERT_FALSE(status.is_ok());
    EXPECT_NE(status.message().find("out of memory"), std::string::npos);
  }
  EXPECT_FALSE(WorkerPool(1).run(1, [](i64) -> Status { throw std::bad_alloc(); }).is_ok());
  EXPECT_EQ(calls_of(&pool, 3), std::vector<int>(3, 1));
}

TEST(WorkerPool, HasMoreWorkersThanCores) {
  const i64 workers = 4 * std::max<i64>(1, std::thread::hardware_concurrency()) + 50;
  WorkerPool pool(workers);
  EXPECT_EQ(calls_of(&pool, workers), std::vector<int>(static_cast<size_t>(workers), 1));
}

TEST(WorkerPool, RunsItsWorkersAtTheSameTime) {
  WorkerPool pool(3);
  std::atomic<int> arrived{0};
  Status status = pool.run(3, [&](i64) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
    return Status::ok();
  });
  EXPECT_TRUE(status.is_ok());
}

TEST(WorkerPool, MayEndWithoutEverRunning) {
  for (int i = 0; i < 100; ++i) {
    WorkerPool idle(4), brief(4);
    calls_of(&brief, 4);
  }
}

}  // namespace
}  // namespace mrc
