// Interim answers: what workers have grouped so far is shown while they go on (Tiled-MapReduce
// 6.1).
//
// A thread of its own visits the workers, one after the other and each between two chunks, and
// folds copies of their states into groups of its own. So a worker waits only while its own states
// are copied, and nothing that it has made changes. Answers come less often than asked if they
// would cost more than a small share of the CPUs.
//
// In the order of the input, an answer is of all units before a cut, and no others. Workers that
// come to units beyond the cut wait there until their states are copied.
#pragma once

#include "combine/value_runs.h"
#include "engine/live.h"
#include "engine/run.h"
#include "engine/sinks/group_worker.h"
#include "engine/unit_front.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mrc {

class LiveGroups {
 public:
  // Makes an answer of groups, each of which has one state. Not on a worker's thread.
  using Show = std::function<Status(Groups *groups, const Coverage &of)>;
  // `settings`: those that the run groups with. `values`: of states that are on disk. `has_units`:
  // by source. All but settings outlive this.
  LiveGroups(Run *run, const StateLayout &layout, const GroupSettings &settings,
             const ValueRuns &values, std::vector<bool> has_units, Show show);
  ~LiveGroups() { end(); }

  // What one worker has grouped, and lends.
  class Lender {
   public:
    explicit Lender(GroupWorker *worker) : worker_(worker) {}
    // While it is held, the worker may change its groups.
    std::unique_lock<std::mutex> hold();
    // A chunk has been mapped. REQUIRES: held
    void add(i64 bytes) { bytes_.store(bytes_ + bytes, std::memory_order_relaxed); }
    // Once after each answer: what a mapper holds back is wanted for the next.
    bool is_asked() {
      return is_asked_.load(std::memory_order_relaxed) && is_asked_.exchange(false);
    }
    // The worker is done; null: what it has made is no groups. REQUIRES: held
    void end(MapOutput *output);

   private:
    friend class LiveGroups;
    Groups *groups();

    std::mutex mutex_;
    std::condition_variable returned_;
    std::atomic<bool> is_wanted_{false}, is_asked_{false};
    GroupWorker *worker_;          // null: it is done
    MapOutput *output_ = nullptr;  // then
    std::atomic<i64> bytes_{0};    // mapped
    // In order; the mutex is that of all:
    bool in_unit_ = false;
    bool is_shown_ = false;  // in the answer that is being made
  };
  // For a worker that begins. Any thread.
  Lender *lend(GroupWorker *worker);
  // Around each unit. Any thread.
  void begin_unit(Lender *lender, const Unit &unit);
  void end_unit(Lender *lender);
  // Which input is claimed, to know its share.
  void follow(const ChunkSource *source) { source_ = source; }

  // No interim answer is begun any more. Any thread.
  void stop();
  // All workers are done. If a file has the answers, it gets the last one.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void end();
  void work_on();
  bool try_to_show();
  bool fits() const;
  bool wait_for_turn();
  void plan_next(Clock::time_point began, double cpu_seconds);
  void put_off_first();
  Status show_now();
  Result<bool> fold_all(Coverage *of);
  Result<bool> fold_in_order(Coverage *of);
  Status fold(Lender *lender, Coverage *of);
  void copy(Groups *groups);
  bool cut(std::unique_lock<std::mutex> *lock);
  bool wait_for_unit(const Lender &lender, std::unique_lock<std::mutex> *lock);
  i64 mapped_bytes();
  std::vector<Lender *> lenders();
  std::optional<double> share_of(i64 bytes) const;

  Run &run_;
  const LiveSpec &spec_;
  const StateLayout &layout_;
  const ValueRuns &values_;
  const Show show_;
  const bool holds_back_;  // a plugin's mapper may emit at its end
  GroupWorker groups_;     // of the answer
  i64 shown_bytes_ = 0, shown_keys_ = 0;
  double shown_share_ = 0;
  const ChunkSource *source_ = nullptr;
  const Clock::time_point began_;
  Clock::time_point next_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Lender>> lenders_;
  std::optional<UnitFront> front_;       // in order
  std::optional<UnitFront::Place> cut_;  // of the answer that is being made
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace mrc
