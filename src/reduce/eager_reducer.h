// reduce: what workers have spilled is reduced while they still map (MaRCO 3).
//
// Each spill is a run of its own, which MaRCO calls the output of a map task. Runs wait until
// there are enough of them; then a partial reduce is launched, which takes all that wait, on a
// thread of its own. Its result takes their place, and is not reduced again before reduce: MaRCO
// has one level of partial reduces, too.
//
// What the work costs is kept away from workers that map (MaRCO 3.3). Few runs have few keys in
// common, so a launch needs a number of them. What begins shortly before the input ends would
// delay reduce, so there are no launches then. And it would take CPUs from workers, so the
// thread has the least priority, and there is one, not one for each worker.
#pragma once

#include "combine/combine.h"
#include "reduce/eager_counts.h"
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
  OverflowSpec overflow;         // of runs
  bool folds = true;             // else records are put in order only
  i64 start = 8;                 // runs that make a launch due; half of it makes the first two
  double stop = 0.9;             // of the input: once so much is mapped, there are no launches
  i64 input_bytes = 0;           // 0: unknown, and nothing stops launches before the input ends
  bool low_priority = true;      // of threads
  i64 most_at_once = 1;          // launches
  i64 memory_bytes = INT64_MAX;  // of each
  std::function<void()> enter;   // each thread calls it first; null: nothing
};

// Thread safe.
class EagerReducer {
 public:
  // The least that a launch can do with.
  static constexpr i64 kLeastBytes = i64{2} << 20;
  // Runs that may wait: more would take too many open files.
  static constexpr i64 kMostWaiting = 32;

  // `layout` outlives this.
  EagerReducer(const StateLayout &layout, EagerSpec spec);
  ~EagerReducer();
  EagerReducer(const EagerReducer &) = delete;

  // So much more of the input has been mapped.
  void add_mapped(i64 bytes) { mapped_.fetch_add(bytes, std::memory_order_relaxed); }
  // Does what records->spill() does, but makes a run of its own of it. If too many wait already,
  // the records stay with their owner. An error may be that of a launch.
  Status spill(OverflowBuffer *records);
  // The scan ends early: what has been launched need not be completed. Any thread.
  void stop() { paused_ = true; }
  // When all is mapped: completes what has been launched, and adds all that there is to `outputs`.
  Status finish(std::vector<std::unique_ptr<MapOutput>> *outputs);
  // Of what has been completed or begun.
  EagerCounts counts() const;

 private:
  // What one thread has.
  struct Hand {
    std::vector<std::unique_ptr<OverflowBuffer>> runs;  // of its launch
    i64 partition = 0;                                  // the next of them
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
  i64 passed_over_ = 0;  // of them, by launches that were refused
  i64 at_once_ = 0;
  bool ends_ = false;
  Status status_ = Status::ok();
  EagerCounts counts_;
  std::vector<Hand> hands_;
};

}  // namespace mrc
