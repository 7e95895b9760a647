// The socket to which clients of the job server connect, and what systemd is told.
#pragma once

#include "base/status.h"

#include <sys/types.h>

#include <string>

namespace mrc {

// Tells systemd how the server is ("READY=1"), if it asks for that: sd_notify(3).
void notify_systemd(const std::string &state);

// Removes the file of the socket at its end.
class Listener {
 public:
  Listener() = default;
  ~Listener() { end(); }
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;

  // Takes the socket that systemd hands over, or makes one at the path, to which only this user can
  // connect. The socket of a server that has died is replaced.
  Status open(const std::string &path);
  void end();
  // Negative before open() and after end().
  int fd() const { return fd_; }
  // Returns the place of the socket, for messages.
  std::string place() const { return path_.empty() ? "the socket of systemd" : path_; }

 private:
  bool take_from_systemd();
  Status bind_to(const std::string &path);

  int fd_ = -1;
  std::string path_;  // "": the socket is not ours
  pid_t owner_ = 0;   // the process that removes it
};

}  // namespace mrc
