#include "reduce/eager_reducer.h"

#include "reduce/run_merger.h"
#include "sched/sched.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// The first launches need fewer runs, because runs come slowly at first (MaRCO 3.3).
constexpr i64 kEarlyLaunches = 2;

i64 spilled_records_of(Runs runs) {
  i64 records = 0;
  for (const auto &run : runs) records += run->spilled_records();
  return records;
}

}  // namespace

EagerReducer::EagerReducer(const StateLayout &layout, EagerSpec spec)
    : layout_(layout), spec_(std::move(spec)), hands_(static_cast<size_t>(spec_.most_at_once)) {}

EagerReducer::~EagerReducer() {
  stop();
  end();
}

// A new run borrows the records to write them; their owner keeps the memory.
Status EagerReducer::spill(OverflowBuffer *records) {
  if (records->records() == 0 || !has_room()) return records->spill();
  auto run = std::make_unique<OverflowBuffer>(spec_.overflow);
  run->swap_memory(records);
  Status status = run->spill();
  run->swap_memory(records);
  return status.is_ok() ? add(std::move(run)) : status;
}

bool EagerReducer::has_room() {
  const std::lock_guard lock(mutex_);
  return std::ssize(waiting_) < kMostWaiting;
}

Status EagerReducer::add(std::unique_ptr<OverflowBuffer> run) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(run));
  for (Hand &hand : hands_) {
    if (!hand.results) start(&hand);
  }
  changed_.notify_all();
  return status_;
}

// Threads start with the first run, because most jobs spill none.
void EagerReducer::start(Hand *hand) {
  hand->merger = make_merger();
  hand->results = std::make_unique<OverflowBuffer>(spec_.overflow);
  hand->thread = std::thread([this, hand] { work_on(hand); });
}

std::unique_ptr<RunMerger> EagerReducer::make_merger() const {
  const i64 bytes = std::max(spec_.memory_bytes, kLeastBytes);
  const RecordShape &shape = spec_.overflow.shape;
  if (!spec_.folds) return std::make_unique<RunSorter>(shape, bytes);
  return std::make_unique<Compactor>(layout_, shape, KeyBytes::copied, bytes);
}

void EagerReducer::work_on(Hand *hand) {
  if (spec_.enter) spec_.enter();
  if (spec_.low_priority) lower_priority();
  Lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_due() || ends_; });
    if (ends_) return;
    launch(hand, &lock);
  }
}

// True if enough runs wait and it is not too late to reduce them.
bool EagerReducer::is_due() {
  const bool early = counts_.launches < kEarlyLaunches;
  const i64 start = early ? std::max<i64>(1, spec_.start / 2) : spec_.start;
  if (std::ssize(waiting_) - passed_over_ < start) return false;
  if (!is_late()) return true;
  ++counts_.refused;
  passed_over_ = std::ssize(waiting_);
  return false;
}

bool EagerReducer::is_late() const {
  const auto mapped = static_cast<double>(mapped_.load(std::memory_order_relaxed));
  const auto all = static_cast<double>(spec_.input_bytes);
  return ends_ || (all > 0 && mapped >= spec_.stop * all);
}

void EagerReducer::launch(Hand *hand, Lock *lock) {
  hand->runs = std::exchange(waiting_, {});
  hand->partition = 0;
  ++counts_.launches;
  counts_.runs += std::ssize(hand->runs);
  counts_.records += spilled_records_of(hand->runs);
  counts_.nice = nice_value();
  counts_.most_at_once = std::max(counts_.most_at_once, ++at_once_);
  lock->unlock();
  merge(hand, paused_);
  lock->lock();
  --at_once_;
}

// Closes the files of the runs before it takes the lock.
void EagerReducer::merge(Hand *hand, const std::atomic<bool> &paused) {
  OverflowBuffer *results = hand->results.get();
  const i64 before = results->spilled_records();
  Status status =
      guarded([&] { return hand->merger->merge(hand->runs, results, &hand->partition, paused); });
  if (!status.is_ok() || hand->partition == i64{1} << results->partition_bits()) hand->runs.clear();
  const std::lock_guard lock(mutex_);
  counts_.left += results->spilled_records() - before;
  if (!status.is_ok()) status_ = status;
}

EagerCounts EagerReducer::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void EagerReducer::end() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (Hand &hand : hands_) {
    if (hand.thread.joinable()) hand.thread.join();
  }
}

// Completes paused launches on new threads. A thread of low priority might be the last one to
// finish on a busy machine, and it cannot raise its priority again.
void EagerReducer::complete() {
  const std::atomic<bool> paused = false;
  for (Hand &hand : hands_) {
    if (hand.runs.empty()) continue;
    hand.thread = std::thread([&] {
      if (spec_.enter) spec_.enter();
      merge(&hand, paused);
    });
  }
  for (Hand &hand : hands_) {
    if (hand.thread.joinable()) hand.thread.join();
  }
}

Status EagerReducer::finish(std::vector<std::unique_ptr<MapOutput>> *outputs) {
  if (spec_.low_priority) paused_ = true;
  end();
  complete();
  const auto add = [&](std::unique_ptr<OverflowBuffer> *run) {
    outputs->push_back(std::make_unique<MapOutput>(ContainerSpec{}));
    outputs->back()->overflow = std::move(*run);
  };
  for (auto &run : waiting_) add(&run);
  for (Hand &hand : hands_) {
    hand.merger.reset();
    if (!hand.results) continue;
    hand.results->clear(false);
    add(&hand.results);
  }
  waiting_.clear();
  return status_;
}

}  // namespace mrc
