#include "engine/inner/saver.h"

#include "engine/inner/run.h"

#include <utility>

namespace mrc {

Saver::Saver(Failed failed) : failed_(std::move(failed)), thread_([this] { work_on(); }) {}

void Saver::save(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (has_failed_) return;
    next_ = std::move(work);
  }
  changed_.notify_one();
}

void Saver::fail(const Status &status) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_failed_, true)) return;
    next_.reset();
  }
  failed_(status);
}

bool Saver::has_failed() {
  const std::lock_guard lock(mutex_);
  return has_failed_;
}

void Saver::work_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || next_; });
    if (ends_) return;
    Work work = *std::exchange(next_, std::nullopt);
    lock.unlock();
    const Status status = guarded(work);
    work = nullptr;  // it may own files
    if (!status.is_ok()) fail(status);
    lock.lock();
  }
}

void Saver::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Saver::Failed complaint_to(Run *run) {
  return [run](const Status &status) {
    const std::lock_guard lock(run->mutex);
    run->observer->warn(status.message() + "; the job goes on without checkpoints");
  };
}

}  // namespace mrc
