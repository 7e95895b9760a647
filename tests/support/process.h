// Runs the mrc binary as a process of its own.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace mrc {

// By sh, with $MRC standing for the binary. Returns the status of wait().
inline int run_shell(const std::string &command) {
  setenv("MRC", MRC_BINARY, 1);
  return std::system(command.c_str());
}

// A command that goes on while the test does.
class Background {
 public:
  explicit Background(const std::string &command) {
    setenv("MRC", MRC_BINARY, 1);
    child_ = fork();
    if (child_ != 0) return;
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  ~Background() {
    if (child_ > 0) kill(child_, SIGKILL);
    wait();
  }
  pid_t id() const { return child_; }
  void send(int signal) const { kill(child_, signal); }
  // The status of wait(), and what the process has used.
  int wait(rusage *usage = nullptr) {
    int status = -1;
    if (child_ > 0) wait4(child_, &status, 0, usage);
    child_ = -1;
    return status;
  }

 private:
  pid_t child_;
};

}  // namespace mrc
