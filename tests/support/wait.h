// Waits for what another process or thread does, each with a limit after which the test fails.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace mrc {

// Generous, since the machine may be busy, and the program may be built with sanitizers; below the
// limit of a test (time_limit.cc).
constexpr std::chrono::seconds kLongestWait{60}, kLongestCommand{250};

// Asks again and again whether something holds. If it does not in time, the test has failed, with
// a message that says what was waited for.
template <typename Holds>
bool wait_until(const std::string &what, Holds holds,
                std::chrono::microseconds pause = std::chrono::milliseconds(10),
                std::chrono::seconds limit = kLongestWait) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= end) {
      ADD_FAILURE() << "not in " << limit.count() << " seconds: " << what;
      return false;
    }
    std::this_thread::sleep_for(pause);
  }
  return true;
}

// Waits for a child of this process; returns the status of wait(). If the child does not end in
// time, it is killed, and the test has failed. `whole_group`: it leads a process group, and all of
// that is killed.
inline int wait_for_exit(pid_t child, const std::string &what, rusage *usage = nullptr,
                         bool whole_group = false) {
  using std::chrono::microseconds;
  int status = -1;
  microseconds pause(50);  // most commands are short
  const auto has_ended = [&] {
    if (wait4(child, &status, WNOHANG, usage) != 0) return true;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, microseconds(1000));
    return false;
  };
  if (wait_until("the end of: " + what, has_ended, microseconds(0), kLongestCommand)) return status;
  kill(whole_group ? -child : child, SIGKILL);
  wait4(child, &status, 0, usage);
  return status;
}

}  // namespace mrc
