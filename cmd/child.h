// Runs a function in a child process, because it may crash.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace mrc {

struct ChildEnd {
  std::string out;        // reports, even if it crashed in the end
  std::string err;        // stderr of the child
  int status = 0;         // as from waitpid()
  bool whole = false;     // `work` has returned, and nothing else ended the process
  bool overtime = false;  // stopped, because its time was up

  bool crashed() const;
  int code() const;  // REQUIRES: !crashed()
};

// Calls `work` in a child process, which ends with the returned code, at the time limit, or with
// this process. Reports of `work` are sent at once; what it prints is discarded. REQUIRES: no other
// threads
using Reporter = std::function<void(const std::string &)>;
ChildEnd in_child(std::chrono::seconds limit, const std::function<int(const Reporter &)> &work);

// Returns a line about a plugin that has ended the child, or was stopped. REQUIRES: !end.whole
std::string describe_end(const ChildEnd &end, std::chrono::seconds limit);

}  // namespace mrc
