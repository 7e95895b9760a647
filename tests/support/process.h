// Runs the mrc binary as a process of its own.
#pragma once

#include "support/wait.h"

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace mrc {

// By sh, with $MRC standing for the binary. Returns the status of wait(). What does not end in
// time is killed, together with what it has started.
inline int run_shell(const std::string &command) {
  setenv("MRC", MRC_BINARY, 1);
  const char *const arguments[] = {"sh", "-c", command.c_str(), nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int error = posix_spawn(&child, "/bin/sh", nullptr, &attributes,
                                const_cast<char *const *>(arguments), environ);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return wait_for_exit(child, command, nullptr, true);
  ADD_FAILURE() << "cannot run sh: " << strerror(error);
  return -1;
}

// A command that goes on while the test does.
class Background {
 public:
  explicit Background(const std::string &command) : command_(command) {
    setenv("MRC", MRC_BINARY, 1);
    child_ = fork();
    if (child_ != 0) return;
    signal(SIGINT, SIG_DFL);  // a shell without job control starts its jobs with it ignored
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  ~Background() {
    if (child_ > 0) kill(child_, SIGKILL);
    wait();
  }
  pid_t id() const { return child_; }
  void send(int signal) const { kill(child_, signal); }
  // False if it still runs; wait() returns at once if not.
  bool has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  }
  // The status of wait(), and what the process has used.
  int wait(rusage *usage = nullptr) {
    const int status = child_ > 0 ? wait_for_exit(child_, command_, usage) : -1;
    child_ = -1;
    return status;
  }

 private:
  const std::string command_;
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
