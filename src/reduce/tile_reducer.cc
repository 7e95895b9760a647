#include "reduce/tile_reducer.h"

#include "reduce/run_merger.h"

#include <utility>

namespace mrc {
namespace {

// Maximum number of tiles that wait to be merged, which limits memory if mapping is faster.
constexpr size_t kMostDue = 2;
constexpr size_t kRunsToMerge = 4;
// Merging runs pays if it turns at least this many records into one, on average.
constexpr double kLeastGain = 1.3;

}  // namespace

TileReducer::TileReducer(const StateLayout &layout, const TileSpec &spec)
    : layout_(layout),
      spec_(spec),
      partitions_(std::make_unique<SharedPartitions>(layout, spec.partition_bits,
                                                     spec.expected_keys, spec.container.shares)) {}

std::unique_ptr<MapOutput> TileReducer::take_empty() {
  std::unique_ptr<MapOutput> output;
  {
    const std::lock_guard lock(mutex_);
    counts_.tables += free_.empty();
    if (!free_.empty()) {
      output = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!output) return std::make_unique<MapOutput>(spec_.container);
  output->groups.clear();
  return output;
}

void TileReducer::close(i64 tile, i64 units) {
  const std::lock_guard lock(mutex_);
  open_[tile].units = units;
  complete(tile);
}

void TileReducer::leave(i64 tile, i64 units, std::unique_ptr<MapOutput> output) {
  const std::lock_guard lock(mutex_);
  open_[tile].left += units;
  if (output) {
    counts_.keys += output->groups.usage().keys;
    open_[tile].outputs.push_back(std::move(output));
  }
  complete(tile);
}

void TileReducer::complete(i64 number) {
  Tile &tile = open_[number];
  if (tile.units != tile.left) return;
  ++counts_.tiles;
  if (spec_.compresses) {
    due_.push_back(std::move(tile));
  } else {
    for (auto &output : tile.outputs) waiting_.push_back(std::move(output));
  }
  open_.erase(number);
  changed_.notify_all();
}

bool TileReducer::is_done(i64 tile) const {
  if (spec_.overlaps) return due_.size() < kMostDue;
  return !open_.contains(tile) && due_.empty() && !current_;
}

Status TileReducer::help(i64 left_tile) {
  Lock lock(mutex_);
  bool waits = false;
  while (!stopped_) {
    Status status = Status::ok();
    if (i64 partition; begin_partition(&partition)) {
      status = merge(partition, &lock);
    } else if (may_merge_runs()) {
      status = merge_runs(&lock);
    } else if (is_done(left_tile)) {
      break;
    } else {
      waits = true;
      changed_.wait(lock);
    }
    if (!status.is_ok()) return status;
  }
  counts_.waits += waits && !spec_.overlaps;
  return Status::ok();
}

Status TileReducer::end() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  return help(-1);
}

bool TileReducer::begin_partition(i64 *partition) {
  if (!current_ && !due_.empty()) {
    current_ = std::move(due_.front());
    due_.pop_front();
    next_ = merged_ = 0;
  }
  if (!current_ || next_ == partitions_->count()) return false;
  *partition = next_++;
  return true;
}

Status TileReducer::merge(i64 partition, Lock *lock) {
  lock->unlock();
  for (const auto &output : current_->outputs) partitions_->merge(partition, output->groups);
  lock->lock();
  ++counts_.reduced;
  return ++merged_ == partitions_->count() ? end_tile(lock) : Status::ok();
}

// Called by the worker that merged the last partition. No other tile is merged meanwhile.
Status TileReducer::end_tile(Lock *lock) {
  lock->unlock();
  for (const auto &output : current_->outputs) {
    layout_.is_flat() ? output->arena.clear() : states_.adopt(&output->arena);
  }
  Status status = Status::ok();
  if (partitions_->used_bytes() + states_.size() > spec_.most_bytes) status = spill();
  lock->lock();
  if (spec_.reuses) {
    for (auto &output : current_->outputs) free_.push_back(std::move(output));
  }
  current_.reset();
  changed_.notify_all();
  return status;
}

// Writes all partitions to one run.
Status TileReducer::spill() {
  auto run = std::make_unique<OverflowBuffer>(spec_.overflow);
  Status status = partitions_->stage(run.get(), spec_.most_bytes / 4);
  if (status.is_ok()) status = run->spill();
  run->clear(false);
  states_.release();
  const std::lock_guard lock(mutex_);
  runs_.push_back(std::move(run));
  ++counts_.runs;
  return status;
}

bool TileReducer::may_merge_runs() const {
  return spec_.merges_runs && !ends_ && merging_pays_ && !merges_runs_ &&
         runs_.size() >= kRunsToMerge;
}

// Merges all current runs, on one worker at a time.
Status TileReducer::merge_runs(Lock *lock) {
  merges_runs_ = true;
  const auto runs = std::exchange(runs_, {});
  counts_.merged += std::ssize(runs);
  lock->unlock();
  auto merged = std::make_unique<OverflowBuffer>(spec_.overflow);
  Compactor compactor(layout_, spec_.overflow.shape, KeyBytes::copied, spec_.most_bytes);
  const Status status = compactor.merge(runs, merged.get());
  merged->clear(false);
  lock->lock();
  merges_runs_ = false;
  if (!status.is_ok()) return status;
  i64 before = 0;
  for (const auto &run : runs) before += run->spilled_records();
  merging_pays_ =
      static_cast<double>(before) >= kLeastGain * static_cast<double>(merged->spilled_records());
  runs_.push_back(std::move(merged));
  return Status::ok();
}

void TileReducer::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::unique_ptr<SharedPartitions> TileReducer::finish(Outputs *outputs) {
  auto move_all = [&](Outputs *from) {
    for (auto &output : *from) outputs->push_back(std::move(output));
  };
  move_all(&waiting_);
  for (auto &[number, tile] : open_) move_all(&tile.outputs);
  for (Tile &tile : due_) move_all(&tile.outputs);
  auto add_output = [&] {
    return outputs->emplace_back(std::make_unique<MapOutput>(ContainerSpec{})).get();
  };
  for (auto &run : runs_) add_output()->overflow = std::move(run);
  add_output()->arena = std::move(states_);
  free_.clear();
  return std::move(partitions_);
}

}  // namespace mrc
