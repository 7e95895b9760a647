#include "engine/sinks/live_groups.h"

#include "plugin/call.h"
#include "plugin/plugin_job.h"
#include "reduce/state_records.h"

#include <time.h>

#include <algorithm>

namespace mrc {
namespace {

// Of the time of all CPUs, that answers by time may take.
constexpr double kMostShare = 0.02;
// Of a CPU, that an answer takes for each key of each worker, before one has been made: folding a
// copy, and a row.
constexpr double kSecondsForKey = 0.5e-6;
// How soon after the input has reached a share the answer for it is begun.
constexpr auto kSoon = std::chrono::milliseconds(1);
// Units that are claimed begin within this time, or the source hands them out in another order.
constexpr auto kPatience = std::chrono::milliseconds(50);

double cpu_seconds_of_thread() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

Status does_not_fit() { return Status::error("the groups do not fit in memory"); }

// Tables show their keys in the order of their hashes. Where the hash is the same, they would all
// go to the front of a table that grows, and take each other's places.
GroupSettings with_another_seed(GroupSettings settings) {
  settings.seed = Seed::random();
  return settings;
}

// Folds copies of states into the groups of a worker.
class StateCopier : public GroupSink {
 public:
  StateCopier(const StateLayout &layout, GroupWorker *into) : block_(layout), into_(*into) {}

  void take(Bytes key, const State *state) override {
    block_.add(0, key, state, [this] { flush(); });
  }
  void flush() {
    into_.load(block_.bytes(), 0);
    block_.clear();
  }

 private:
  StateRecords block_;
  GroupWorker &into_;
};

}  // namespace

LiveGroups::LiveGroups(Run *run, const StateLayout &layout, const GroupSettings &settings,
                       const ValueRuns &values, std::vector<bool> has_units, Show show)
    : run_(*run),
      spec_(run->program.live),
      layout_(layout),
      values_(values),
      show_(std::move(show)),
      holds_back_(run->program.plugin && run->program.plugin->functions().end != nullptr),
      groups_(layout, with_another_seed(settings)),
      began_(Clock::now()) {
  if (spec_.in_order) front_.emplace(std::move(has_units));
  plan_next(began_, 0);
  thread_ = std::thread([this] { work_on(); });
}

// A thread that waits for the groups gets them first: locks are not fair.
std::unique_lock<std::mutex> LiveGroups::Lender::hold() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return !is_wanted_; });
  return lock;
}

void LiveGroups::Lender::end(MapOutput *output) {
  worker_ = nullptr;
  output_ = output;
}

// Null: not all that it has made is groups in memory.
Groups *LiveGroups::Lender::groups() {
  if (worker_ != nullptr) return worker_->can_show() ? worker_->show() : nullptr;
  return output_ != nullptr && !output_->has_staged_records() ? &output_->groups : nullptr;
}

LiveGroups::Lender *LiveGroups::lend(GroupWorker *worker) {
  const std::lock_guard lock(mutex_);
  return lenders_.emplace_back(std::make_unique<Lender>(worker)).get();
}

std::vector<LiveGroups::Lender *> LiveGroups::lenders() {
  const std::lock_guard lock(mutex_);
  std::vector<Lender *> all;
  for (const auto &lender : lenders_) all.push_back(lender.get());
  return all;
}

void LiveGroups::begin_unit(Lender *lender, const Unit &unit) {
  if (!front_) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return ends_ || !cut_ || UnitFront::place_of(unit) < *cut_ || lender->is_shown_;
  });
  front_->begin(unit);
  lender->in_unit_ = true;
  if (cut_) changed_.notify_all();
}

void LiveGroups::end_unit(Lender *lender) {
  if (!front_) return;
  const std::lock_guard lock(mutex_);
  lender->in_unit_ = false;
  if (cut_) changed_.notify_all();
}

void LiveGroups::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
}

void LiveGroups::end() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void LiveGroups::finish() {
  end();
  front_.reset();
  shown_bytes_ = -1;
  if (!spec_.path.empty()) try_to_show();
}

void LiveGroups::work_on() {
  const PluginRun::Scope scope(&run_.plugins);
  while (wait_for_turn()) {
    const Clock::time_point began = Clock::now();
    const double before = cpu_seconds_of_thread();
    if (!try_to_show()) return;
    plan_next(began, cpu_seconds_of_thread() - before);
  }
}

bool LiveGroups::try_to_show() {
  const Status status = guarded([this] { return show_now(); });
  if (status.is_ok()) return true;
  groups_.begin_anew(0);  // their memory is wanted
  const std::lock_guard lock(run_.mutex);
  run_.observer->note(status.message() + "; no interim answers from here on");
  return false;
}

bool LiveGroups::wait_for_turn() {
  std::unique_lock lock(mutex_);
  if (spec_.every_percent == 0) {
    do {
      while (!ends_ && Clock::now() < next_) changed_.wait_until(lock, next_);
      lock.unlock();
      put_off_first();
      lock.lock();
    } while (!ends_ && Clock::now() < next_);
    return !ends_;
  }
  const auto is_due = [&] {
    lock.unlock();
    const double share = share_of(mapped_bytes()).value_or(0);
    lock.lock();
    return share < 1 && 100 * (share - shown_share_) >= spec_.every_percent;
  };
  while (!ends_ && !is_due()) changed_.wait_for(lock, kSoon);
  return !ends_;
}

// The next answer comes when this one has become a small enough share of what the CPUs have done.
void LiveGroups::plan_next(Clock::time_point began, double cpu_seconds) {
  const auto after = [began](double seconds) {
    return began +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  const double cpus = static_cast<double>(std::min(run_.pool.size(), available_cpus()));
  next_ = std::max(after(spec_.every_seconds), after(cpu_seconds / kMostShare / cpus));
}

// What the first answer will cost is known by the keys that there are; later ones cost as much as
// the one before.
void LiveGroups::put_off_first() {
  if (shown_bytes_ > 0) return;
  i64 keys = 0;
  for (Lender *lender : lenders()) {
    const std::lock_guard lock(lender->mutex_);
    if (const Groups *groups = lender->groups()) keys += groups->usage().keys;
  }
  plan_next(began_, kSecondsForKey * static_cast<double>(keys));
}

i64 LiveGroups::mapped_bytes() {
  i64 bytes = 0;
  for (const Lender *lender : lenders()) bytes += lender->bytes_.load(std::memory_order_relaxed);
  return bytes;
}

// Compressed input is known by what is read of it, as it is stored.
std::optional<double> LiveGroups::share_of(i64 bytes) const {
  const Plan &plan = run_.plan;
  if (plan.streams != plan.packed || run_.program.follows) return std::nullopt;
  const i64 total = plan.input_bytes + plan.packed_bytes;
  if (plan.packed > 0 && source_ != nullptr) bytes = source_->bytes_claimed();
  return total == 0 ? 1 : std::min(1.0, static_cast<double>(bytes) / static_cast<double>(total));
}

// What is the same as before is not shown again.
Status LiveGroups::show_now() {
  if (mapped_bytes() == shown_bytes_) return Status::ok();
  Coverage of;
  groups_.begin_anew(shown_keys_);
  const Result<bool> folded = front_ ? fold_in_order(&of) : fold_all(&of);
  if (!folded.is_ok()) return folded.status();
  if (!*folded || of.bytes == shown_bytes_) return Status::ok();
  shown_bytes_ = of.bytes;
  shown_keys_ = groups_.show()->usage().keys;
  of.share = share_of(of.bytes);
  shown_share_ = of.share.value_or(0);
  return show_(groups_.show(), of);
}

Result<bool> LiveGroups::fold_all(Coverage *of) {
  for (Lender *lender : lenders()) {
    if (Status status = fold(lender, of); !status.is_ok()) return status;
  }
  return true;
}

Status LiveGroups::fold(Lender *lender, Coverage *of) {
  lender->is_wanted_ = true;
  Status status = Status::ok();
  {
    const std::lock_guard lock(lender->mutex_);
    Groups *const groups = lender->groups();
    if (groups != nullptr && fits()) copy(groups);
    if (groups == nullptr || !fits()) status = does_not_fit();
    of->bytes += lender->bytes_;
    lender->is_wanted_ = false;
  }
  lender->is_asked_ = holds_back_;
  lender->returned_.notify_all();
  return status;
}

// Copies must not double what a job takes, nor move values to disk once more.
bool LiveGroups::fits() const {
  return groups_.can_show() && groups_.grouped_bytes() < run_.worker_share() &&
         values_.values() == 0;
}

void LiveGroups::copy(Groups *groups) {
  StateCopier copier(layout_, &groups_);
  take_groups(groups, &copier);
  copier.flush();
}

// False: nothing can be cut now. Else no worker is in a unit beyond the cut, and those that come
// to one wait.
bool LiveGroups::cut(std::unique_lock<std::mutex> *lock) {
  cut_ = front_->end();
  for (const auto &lender : lenders_) lender->is_shown_ = false;
  changed_.wait_for(*lock, kPatience, [this] { return ends_ || front_->is_gapless(); });
  return !ends_ && front_->is_gapless();
}

bool LiveGroups::wait_for_unit(const Lender &lender, std::unique_lock<std::mutex> *lock) {
  changed_.wait(*lock, [&] { return ends_ || !lender.in_unit_; });
  return !ends_;
}

Result<bool> LiveGroups::fold_in_order(Coverage *of) {
  std::unique_lock lock(mutex_);
  bool is_whole = cut(&lock);
  Status status = Status::ok();
  for (size_t i = 0; is_whole && status.is_ok() && i < lenders_.size(); ++i) {
    Lender *const lender = lenders_[i].get();
    is_whole = wait_for_unit(*lender, &lock);
    if (!is_whole) break;
    lock.unlock();
    status = fold(lender, of);
    lock.lock();
    lender->is_shown_ = true;
    changed_.notify_all();
  }
  cut_.reset();
  lock.unlock();
  changed_.notify_all();
  if (!status.is_ok()) return status;
  return is_whole;
}

}  // namespace mrc
