#include "cmd/serve/listener.h"

#include "cmd/serve/request.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace mrc {
namespace {

constexpr int kBacklog = 128;

Status remove_stale(const std::string &path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return Status::ok();
  if (!S_ISSOCK(info.st_mode)) return Status::error(path + ": is there, and is no socket");
  if (connect_to_server(path).is_ok()) return Status::error(path + ": a server is there already");
  return unlink(path.c_str()) == 0 ? Status::ok() : Status::from_errno(path, errno);
}

}  // namespace

void notify_systemd(const std::string &state) {
  const char *path = getenv("NOTIFY_SOCKET");
  const Result<std::string> made = socket_address(path == nullptr ? "" : path);
  if (!made.is_ok()) return;
  sockaddr_un address;
  memcpy(&address, made->data(), sizeof address);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + strlen(path));
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr *>(&address),
         size);
  close(fd);
}

Status Listener::open(const std::string &path) {
  if (take_from_systemd()) return Status::ok();
  if (Status status = remove_stale(path); !status.is_ok()) return status;
  return bind_to(path);
}

// sd_listen_fds(3): the first file that is handed over has the number 3.
bool Listener::take_from_systemd() {
  constexpr int kFirst = 3;
  const char *count = getenv("LISTEN_FDS"), *pid = getenv("LISTEN_PID");
  if (count == nullptr || pid == nullptr || pid != std::to_string(getpid())) return false;
  fd_ = kFirst;
  fcntl(fd_, F_SETFD, FD_CLOEXEC);
  fcntl(fd_, F_SETFL, O_NONBLOCK);
  return true;
}

Status Listener::bind_to(const std::string &path) {
  const Result<std::string> address = socket_address(path);
  if (!address.is_ok()) return address.status();
  fd_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const mode_t mask = umask(0177);
  const int bound = bind(fd_, reinterpret_cast<const sockaddr *>(address->data()),
                         static_cast<socklen_t>(address->size()));
  const int error = errno;
  umask(mask);
  if (bound != 0) return Status::from_errno(path, error);
  path_ = path;
  owner_ = getpid();
  return listen(fd_, kBacklog) == 0 ? Status::ok() : Status::from_errno(path, errno);
}

void Listener::end() {
  if (fd_ < 0) return;
  if (!path_.empty() && owner_ == getpid()) unlink(path_.c_str());
  close(fd_);
  fd_ = -1;
}

}  // namespace mrc
