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

// How many files in the folder the process has open, those without a name included.
inline int open_files_in(pid_t process, const std::string &folder) {
  int count = 0;
  for (int fd = 0; fd < 64; ++fd) {
    char target[4096];
    const std::string link = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(fd);
    const ssize_t size = readlink(link.c_str(), target, sizeof target);
    count += size > 0 && std::string(target, static_cast<size_t>(size)).starts_with(folder);
  }
  return count;
}

}  // namespace mrc
