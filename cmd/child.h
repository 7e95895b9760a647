// A piece of work in a process of its own, for what may crash.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace mrc {

struct ChildEnd {
  std::string out;        // what it reported, also if it crashed in the end
  std::string err;        // what it wrote to stderr
  int status = 0;         // of wait()
  bool whole = false;     // of in_child(): `work` has returned, and nothing has ended the process
  bool overtime = false;  // it was stopped when its time was up

  bool crashed() const;
  int code() const;  // REQUIRES: !crashed()
};

// Calls `work` in a child process, which ends with what it returns, or after some time, or with
// this process. What `work` reports is there at once; what it prints is not seen.
// REQUIRES: no other threads
using Reporter = std::function<void(const std::string &)>;
ChildEnd in_child(std::chrono::seconds limit, const std::function<int(const Reporter &)> &work);

// A line about a plugin that has ended the child, or was stopped. REQUIRES: !end.whole
std::string describe_end(const ChildEnd &end, std::chrono::seconds limit);

}  // namespace mrc
