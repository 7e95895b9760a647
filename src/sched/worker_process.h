// sched: workers that are processes, so that one may die and the others go on.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <sys/types.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// One end of a connection between two processes. Messages arrive whole, in their order.
class Channel {
 public:
  static constexpr i64 kMostBytes = 64 << 10;  // of a message
  static constexpr i64 kMostFiles = 4;         // that go with it

  explicit Channel(int fd) : fd_(fd) {}
  Channel(Channel &&other) noexcept;
  Channel &operator=(Channel &&) = delete;
  ~Channel();

  // Waits for room. False: there is no other end any more. `files`: open ones, which the other
  // process has then, too.
  bool send(Bytes message, std::span<const int> files = {}) const;

  struct Message {
    std::string text;
    std::vector<int> files;  // the receiver closes them
  };
  enum class Got { message, nothing, end };
  // `wait`: until there is one, or the other end has gone.
  Got receive(Message *message, bool wait) const;

  int fd() const { return fd_; }

 private:
  int fd_;
};

// How many threads this process has besides the one that asks. One that was joined may be there for
// a moment: that is waited for.
i64 other_threads();

// A process that this one has made of itself. It is killed with this object, and when the process
// that made it dies. It leads a group of processes: those that it starts are killed with it. One
// thread.
class WorkerProcess {
 public:
  // The new process calls `work`, which does not return; it may take so much more memory than there
  // is now. Signals that end the user's job do not reach it.
  // REQUIRES: this process has one thread: others would not be in the new one, but what they have
  // locked would be.
  static Result<WorkerProcess> start(i64 more_memory, const std::function<void(Channel *)> &work);
  WorkerProcess(WorkerProcess &&other) noexcept;
  WorkerProcess &operator=(WorkerProcess &&) = delete;
  ~WorkerProcess();

  const Channel &channel() const { return channel_; }
  // Can be read from, for poll(), when the process has died.
  int death() const { return death_; }
  bool is_dead() const;
  void kill();
  // REQUIRES: it is dead. `signal`: that it died of; 0: it ended itself, with `code`.
  struct End {
    int signal = 0, code = 0;
  };
  End end();
  pid_t id() const { return id_; }

 private:
  WorkerProcess(pid_t id, int death, Channel channel)
      : id_(id), death_(death), channel_(std::move(channel)) {}

  pid_t id_;
  int death_;
  Channel channel_;
};

}  // namespace mrc
