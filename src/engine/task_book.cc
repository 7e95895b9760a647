#include "engine/inner/task_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mrc {
namespace {

// Tasks that a worker has at a time: the second one keeps it from waiting for a command.
constexpr size_t kGiven = 2;
// A task is slow if it takes this multiple of the usual time for its size, and at least this long.
constexpr double kSlowFactor = 4, kSlowSeconds = 0.1;
// A seal is slow after this number of seconds; its size is unknown.
constexpr double kSlowToSeal = 2;

}  // namespace

TaskBook::TaskBook(const std::vector<i64> &bytes, bool backups)
    : has_backups_(backups), end_(std::ssize(bytes)), open_(end_) {
  for (const i64 each : bytes) tasks_.push_back({.bytes = std::max<i64>(each, 1)});
}

TaskBook::Worker &TaskBook::of(i64 worker) {
  while (std::ssize(workers_) <= worker) workers_.emplace_back();
  return workers_[static_cast<size_t>(worker)];
}

TaskBook::Step TaskBook::give(Worker *worker, i64 task, double now) {
  if (worker->given.empty()) worker->since = now;
  worker->given.push_back(task);
  return {Step::Kind::map, task};
}

TaskBook::Step TaskBook::seal(Worker *worker, double now) {
  worker->is_sealing = true;
  worker->since = now;
  return {Step::Kind::seal};
}

// A task that may kill its worker goes only to a worker that has sealed everything else.
TaskBook::Step TaskBook::next(i64 worker, double now) {
  Worker &its = of(worker);
  if (its.is_sealing) return {};
  if (its.is_idle()) its.is_alone = false;
  while (!again_.empty() && task(again_.front()).is_closed) again_.pop_front();
  if (its.is_alone || (!again_.empty() && its.planned.empty())) {
    if (its.given.empty() && !its.done.empty()) return seal(&its, now);
    if (!its.is_idle()) return {};
    const i64 task = again_.front();
    again_.pop_front();
    its.is_alone = true;
    ++repeated_;
    return give(&its, task, now);
  }
  if (its.given.size() >= kGiven) return {};
  if (its.planned.empty()) {
    if (const std::optional<i64> task = take_new()) return give(&its, *task, now);
    if (its.is_idle()) plan_backup(&its, now);
  }
  if (!its.planned.empty()) {
    const i64 task = its.planned.front();
    its.planned.pop_front();
    return give(&its, task, now);
  }
  return its.given.empty() && !its.done.empty() ? seal(&its, now) : Step{};
}

std::optional<i64> TaskBook::take_new() {
  while (!returned_.empty()) {
    const i64 number = returned_.front();
    returned_.pop_front();
    if (task(number).is_closed) continue;
    ++repeated_;
    return number;
  }
  return next_ < end_ ? std::optional(next_++) : std::nullopt;
}

bool TaskBook::Worker::has(i64 task) const {
  const auto is_in = [task](const auto &tasks) { return std::ranges::count(tasks, task) > 0; };
  return is_in(given) || is_in(done) || is_in(planned);
}

i64 TaskBook::holders(i64 task) const {
  return std::ranges::count_if(workers_, [task](const Worker &each) { return each.has(task); });
}

double TaskBook::slow_after(const Worker &worker) const {
  if (worker.is_sealing) return kSlowToSeal;
  if (worker.given.empty() || mapped_bytes_ == 0) return INFINITY;  // there is no usual time yet
  const double seconds_of_byte = mapped_seconds_ / static_cast<double>(mapped_bytes_);
  const double usual = seconds_of_byte * static_cast<double>(task(worker.given.front()).bytes);
  return std::max(kSlowFactor * usual, kSlowSeconds);
}

bool TaskBook::may_have_backup(const Worker &worker, double now) const {
  if (now - worker.since < slow_after(worker)) return false;
  const auto must_not = [this](i64 number) {
    return holders(number) > 1 || task(number).faults > 0;
  };
  return std::ranges::none_of(worker.given, must_not) &&
         std::ranges::none_of(worker.done, must_not);
}

// Plans backups of all tasks that the slowest worker has not sealed, since their results are in one
// table.
void TaskBook::plan_backup(Worker *worker, double now) {
  if (!has_backups_) return;
  const Worker *slowest = nullptr;
  for (const Worker &other : workers_) {
    const bool is_slower = slowest == nullptr || other.since < slowest->since;
    if (&other != worker && is_slower && may_have_backup(other, now)) slowest = &other;
  }
  if (slowest == nullptr) return;
  worker->planned.assign(slowest->done.begin(), slowest->done.end());
  worker->planned.insert(worker->planned.end(), slowest->given.begin(), slowest->given.end());
  backups_ += std::ssize(worker->planned);
}

void TaskBook::mapped(i64 worker, double now) {
  Worker &its = of(worker);
  mapped_seconds_ += now - its.since;
  mapped_bytes_ += task(its.given.front()).bytes;
  its.since = now;
  its.done.push_back(its.given.front());
  its.given.pop_front();
}

TaskBook::Unneeded TaskBook::close(const std::vector<i64> &tasks, const Worker *by) {
  Unneeded unneeded;
  for (i64 other = 0; other < std::ssize(workers_); ++other) {
    Worker &second = of(other);
    if (&second == by) continue;
    std::erase_if(second.planned, [&](i64 task) { return std::ranges::count(tasks, task) > 0; });
    if (std::ranges::any_of(tasks, [&](i64 task) { return second.has(task); })) {
      unneeded.push_back(other);
    }
  }
  for (i64 number : tasks) {
    if (!std::exchange(task(number).is_closed, true)) --open_;
  }
  return unneeded;
}

TaskBook::Unneeded TaskBook::sealed(i64 worker) {
  Worker &its = of(worker);
  its.is_sealing = false;
  return close(std::exchange(its.done, {}), &its);
}

std::optional<i64> TaskBook::current(i64 worker) const {
  if (worker >= std::ssize(workers_)) return std::nullopt;
  const Worker &its = workers_[static_cast<size_t>(worker)];
  if (!its.given.empty() && !its.is_sealing) return its.given.front();
  return its.done.size() == 1 && its.given.empty() ? std::optional(its.done[0]) : std::nullopt;
}

std::optional<double> TaskBook::busy_since(i64 worker) const {
  if (worker >= std::ssize(workers_)) return std::nullopt;
  const Worker &its = workers_[static_cast<size_t>(worker)];
  const bool is_busy = !its.given.empty() || its.is_sealing;
  return is_busy ? std::optional(its.since) : std::nullopt;
}

// Counts the death of a worker against its task. True if the task is now left out.
bool TaskBook::proves_deadly(Task *task, Death death) {
  if (death == Death::fault) return ++task->faults >= kMostFaults;
  task->row = task->last + 1 == kills_ ? task->row + 1 : 1;
  task->last = kills_;
  return ++task->kills >= kMostKills || task->row >= kMostKillsInARow;
}

TaskBook::Loss TaskBook::died(i64 worker, Death death) {
  if (death == Death::outside) ++kills_;
  const std::optional<i64> blamed = death == Death::unneeded ? std::nullopt : current(worker);
  const Worker gone = std::exchange(of(worker), {});
  Loss loss;
  if (blamed && proves_deadly(&task(*blamed), death)) {
    ++left_out_;
    loss = {blamed, close({*blamed}, nullptr)};
  }
  take_back(gone, death);
  return loss;
}

// Returns the tasks of a dead worker. A first kill from outside does not make workers seal them one
// by one, which costs more. After a second one it must, or tasks that kill would stop all progress.
void TaskBook::take_back(const Worker &gone, Death death) {
  const auto take_one = [&](i64 number) {
    if (task(number).is_closed || holders(number) > 0) return;
    const bool is_first = !std::exchange(task(number).was_returned, true);
    (is_first && death != Death::fault ? returned_ : again_).push_back(number);
  };
  std::ranges::for_each(gone.done, take_one);
  std::ranges::for_each(gone.given, take_one);
  std::ranges::for_each(gone.planned, take_one);
}

void TaskBook::forget_from(i64 from) {
  for (i64 number = std::max(from, next_); number < end_; ++number) close({number}, nullptr);
  end_ = std::min(end_, std::max(from, next_));
}

}  // namespace mrc
