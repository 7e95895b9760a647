// reduce: reduces spilled records while workers still map (MaRCO 3).
//
// Each spill is a run of its own, the equivalent of a map task's output in MaRCO. Runs wait until
// there are enough of them. Then a partial reduce is launched on a thread of its own, which takes
// all waiting runs. Its result replaces them, and is not reduced again before reduce: MaRCO also
// has one level of partial reduces.
//
// The work must not slow down workers that map (MaRCO 3.3). Few runs have few keys in common, so a
// launch needs several of them. A launch shortly before the end of the input would delay reduce, so
// there are none then. A launch takes CPU time from workers, so its thread has the lowest priority,
// and by default there is one thread, not one for each worker.
#pragma once

#include "combine/combine.h"
#include "reduce/counts.h"
#include "reduce/reduce.h"
#include "reduce/run_merger.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mrc {

struct EagerSpec {
  OverflowSpec overflow;         // spec of runs
  bool folds = true;             // false: records are only sorted
  i64 start = 8;                 // runs that make a launch due; half as many for the first two
  double stop = 0.9;             // share of the input after which there are no launches
  i64 input_bytes = 0;           // 0: unknown; only the end of the input stops launches
  bool low_priority = true;      // priority of threads
  i64 most_at_once = 1;          // maximum number of launches at the same time
  i64 memory_bytes = INT64_MAX;  // memory of each launch
  std::function<void()> enter;   // each thread calls it first, if it is not null
};

// Reduces spilled runs during the map phase. Thread safe.
class EagerReducer {
 public:
  // Minimum memory of a launch.
  static constexpr i64 kLeastBytes = i64{2} << 20;
  // Maximum number of runs that may wait: more would need too many open files.
  static constexpr i64 kMostWaiting = 32;

  // REQUIRES: `layout` outlives this
  EagerReducer(const StateLayout &layout, EagerSpec spec);
  ~EagerReducer();
  EagerReducer(const EagerReducer &) = delete;

  // Notes that `bytes` more of the input have been mapped.
  void add_mapped(i64 bytes) { mapped_.fetch_add(bytes, std::memory_order_relaxed); }
  // Spills the records as records->spill() does, but into a run of its own. If too many runs wait,
  // spills them into their owner's run. An error may be the error of a launch.
  Status spill(OverflowBuffer *records);
  // Ends the scan early: launches need not be completed. Any thread.
  void stop() { paused_ = true; }
  // Called when the whole input is mapped. Completes the launches, and adds the runs and results to
  // `outputs`.
  Status finish(std::vector<std::unique_ptr<MapOutput>> *outputs);
  // Counts completed and current launches.
  EagerCounts counts() const;

 private:
  // The state of one thread.
  struct Hand {
    std::vector<std::unique_ptr<OverflowBuffer>> runs;  // runs of its launch
    i64 partition = 0;                                  // the next partition to merge
    std::unique_ptr<RunMerger> merger;
    std::unique_ptr<OverflowBuffer> results;
    std::thread thread;
  };
  using Lock = std::unique_lock<std::mutex>;

  bool has_room();
  Status add(std::unique_ptr<OverflowBuffer> run);
  void start(Hand *hand);
  std::unique_ptr<RunMerger> make_merger() const;
  void work_on(Hand *hand);
  bool is_due();
  bool is_late() const;
  void launch(Hand *hand, Lock *lock);
  void merge(Hand *hand, const std::atomic<bool> &paused);
  void end();
  void complete();

  const StateLayout &layout_;
  const EagerSpec spec_;
  std::atomic<i64> mapped_ = 0;
  std::atomic<bool> paused_ = false;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<OverflowBuffer>> waiting_;
  i64 passed_over_ = 0;  // waiting runs that refused launches have counted
  i64 at_once_ = 0;
  bool ends_ = false;
  Status status_ = Status::ok();
  EagerCounts counts_;
  std::vector<Hand> hands_;
};

}  // namespace mrc
