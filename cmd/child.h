// A piece of work in a process of its own, for what may crash.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mrc {

struct ChildEnd {
  std::string out;     // what it reported, also if it crashed in the end
  std::string err;     // what it wrote to stderr
  int status = 0;      // of wait()
  bool whole = false;  // of in_child(): `work` has returned, and nobody has ended the process

  bool crashed() const;
  int code() const;  // REQUIRES: !crashed()
};

// Calls `work` in a child process, which ends with what it returns. What `work` reports is
// there at once. REQUIRES: no other threads
using Reporter = std::function<void(const std::string &)>;
ChildEnd in_child(const std::function<int(const Reporter &)> &work);

// Runs this program with other arguments; its standard output is the report.
ChildEnd run_mrc(const std::vector<std::string> &arguments);

}  // namespace mrc
