// engine: a thread that brings checkpoints to disk, so that no worker waits for it.
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

  // `failed` learns once, and at once, why a checkpoint could not be made. None is made after it.
  explicit Saver(Failed failed);
  ~Saver() { finish(); }

  // Takes the place of what waits and was not begun.
  void save(Work work);
  // A checkpoint could not even be prepared.
  void fail(const Status &status);
  bool has_failed();
  // Waits for what has begun, and forgets what waits.
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

// Tells the user of the run.
Saver::Failed complaint_to(Run *run);

}  // namespace mrc
