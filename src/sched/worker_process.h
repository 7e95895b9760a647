// Workers that are processes, so that the others survive if one dies, and memory that they share.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <sys/mman.h>
#include <sys/types.h>

#include <functional>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Workers that are processes, so that the others survive if one dies.

// One end of a connection between two processes. Messages arrive whole and in order.
class Channel {
 public:
  static constexpr i64 kMostBytes = 64 << 10;  // per message
  static constexpr i64 kMostFiles = 4;         // per message

  explicit Channel(int fd) : fd_(fd) {}
  Channel(Channel &&other) noexcept;
  Channel &operator=(Channel &&) = delete;
  ~Channel();

  // Waits until the message fits. Returns false if the other end is closed. The other process gets
  // copies of the open `files`.
  bool send(Bytes message, std::span<const int> files = {}) const;

  struct Message {
    std::string text;
    std::vector<int> files;  // the receiver closes them
  };
  enum class Got { message, nothing, end };
  // Waits for a message or the close of the other end if `wait` is true.
  Got receive(Message *message, bool wait) const;

  int fd() const { return fd_; }

 private:
  int fd_;
};

// Returns the threads of a process; none if it is gone.
std::vector<pid_t> threads_of(pid_t process);
// Number of threads of this process besides the calling one. Waits a moment if there are some, as a
// thread may still be listed just after it was joined.
i64 other_threads();

// A forked child. The child is killed with this object, and when its parent dies. It leads a
// process group, so that its own children are killed with it. Not thread safe.
class WorkerProcess {
 public:
  // The child calls `work`, which must not return, and may map `more_memory` bytes more than are
  // mapped now. Signals that end the user's job do not reach it. REQUIRES: this process has a
  // single thread: fork() copies only the calling thread, but all locks
  static Result<WorkerProcess> start(i64 more_memory, const std::function<void(Channel *)> &work);
  WorkerProcess(WorkerProcess &&other) noexcept;
  WorkerProcess &operator=(WorkerProcess &&) = delete;
  ~WorkerProcess();

  const Channel &channel() const { return channel_; }
  // A file descriptor that becomes readable, for poll(), when the child has died.
  int death() const { return death_; }
  bool is_dead() const;
  void kill();
  // `signal` killed the child; if it is 0, the child exited with `code`. REQUIRES: is_dead()
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

// Memory that a process shares with its forked children.

// Elements are zero at first.
template <typename T>
class SharedArray {
 public:
  explicit SharedArray(i64 size)
      : bytes_(static_cast<size_t>(size) * sizeof(T)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedArray() { munmap(memory_, bytes_); }
  SharedArray(const SharedArray &) = delete;

  T *at(i64 i) { return static_cast<T *>(memory_) + i; }

 private:
  const size_t bytes_;
  void *const memory_;
};

}  // namespace mrc
