// engine: a thread that writes checkpoints, so that no worker waits for the disk.
#pragma once

#include "base/status.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace mrc {

struct Run;

// Thread safe.
class Saver {
 public:
  using Work = std::function<Status()>;
  using Failed = std::function<void(const Status &)>;

  // `failed` is called at most once, with the first error. No checkpoint is made after it.
  explicit Saver(Failed failed);
  ~Saver() { finish(); }

  // Queues work, and drops queued work that has not begun.
  void save(Work work);
  // Reports that a checkpoint could not even be prepared.
  void fail(const Status &status);
  bool has_failed();
  // Waits for work that has begun, and drops queued work.
  void finish();

 private:
  void work_on();

  const Failed failed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Work> next_;
  bool has_failed_ = false, ends_ = false;
  std::thread thread_;
};

// Returns a function that warns the user of the run.
Saver::Failed complaint_to(Run *run);

}  // namespace mrc
