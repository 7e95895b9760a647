// The handler of pthread_atfork() runs on fork() in the C library, which is what plugins call. It
// does not run for the programs that posix_spawn(), system() and popen() start.
#include "base/fork.h"

#include "base/signals.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>

namespace mrc {
namespace {

// Lies in memory that all processes share.
struct Returns {
  std::atomic<int> count;     // copies that have returned to our code
  std::atomic<bool> is_told;  // `where` is complete
  char where[1000];
};
Returns *returns = nullptr;

thread_local bool forks_worker = false;

void on_fork() {
  if (forks_worker) return;
  this_is_copy = true;
  leave_faults_to_maker();
}

}  // namespace

constinit std::atomic<bool> this_is_copy = false;

pid_t fork_worker() {
  forks_worker = true;
  const pid_t id = fork();
  forks_worker = false;
  return id;
}

void watch_for_copies() {
  static std::once_flag once;
  std::call_once(once, [] {
    void *shared =
        mmap(nullptr, sizeof(Returns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) returns = static_cast<Returns *>(shared);
    pthread_atfork(nullptr, nullptr, on_fork);
  });
}

void end_copy(const std::string &where) {
  if (returns != nullptr && returns->count.fetch_add(1) == 0) {
    strncpy(returns->where, where.c_str(), sizeof returns->where - 1);
    returns->is_told = true;
  }
  _exit(1);
}

bool copy_came_back() {
  return returns != nullptr && returns->is_told.load(std::memory_order_relaxed);
}

std::string place_of_copy() {
  return returns != nullptr && returns->is_told ? std::string(returns->where) : "";
}

}  // namespace mrc
