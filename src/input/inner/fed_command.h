// A command that reads a feed, and whose output is an input.
#pragma once

#include "input/inner/child_program.h"
#include "input/input.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>

namespace mrc {

// A thread of its own writes to the command: otherwise the command and the reader of its output
// could wait for each other. All calls come from one thread.
class FedCommand {
 public:
  // REQUIRES: the source has a command and a feed, and outlives this
  explicit FedCommand(const Source &source);
  // Ends the command if it still runs.
  ~FedCommand();

  // Returns the command's standard output, which the caller owns. A command for which there are no
  // bytes is not run.
  Result<int> start();
  // The command is alive: some of its output has been read.
  void note_progress() { seen_.fetch_add(1, std::memory_order_relaxed); }
  // The output is not read for a while: the command is not late meanwhile.
  void hold(bool is_held) { is_held_ = is_held; }
  // Waits for the end of the command. REQUIRES: all of its output has been read
  Status finish();

 private:
  void write_all(Bytes next);
  Status write(Bytes bytes);
  bool await_room();
  void await_end();
  bool is_late();
  void await_writer();
  Status check_rest() const;

  const std::string command_;
  const std::shared_ptr<Feed> feed_;
  const double most_seconds_;
  std::unique_ptr<Feed::Reader> reader_;
  ChildProgram program_;
  std::thread writer_;
  std::atomic<bool> stopped_{false};
  std::binary_semaphore has_written_{0};
  std::atomic<bool> is_held_{false};
  std::atomic<bool> has_closed_{false};  // the command's output has ended
  std::atomic<i64> seen_{0};

  // The writer alone uses these until it has ended.
  i64 last_seen_ = 0;
  std::chrono::steady_clock::time_point last_progress_;
  bool left_ = false;  // the command has closed its input before the end
  std::string place_;  // the last bytes that the command got
  Status failure_ = Status::ok();
};

}  // namespace mrc
