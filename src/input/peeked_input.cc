#include "input/peeked_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace mrc {
namespace {

// Waits until the pipe is full or closed.
void wait_until_full(int fd, i64 capacity) {
  using namespace std::chrono;
  struct pollfd pipe = {fd, POLLIN, 0};
  if (poll(&pipe, 1, -1) <= 0) return;
  const auto begin = steady_clock::now();
  while ((pipe.revents & POLLHUP) == 0 && steady_clock::now() - begin < seconds(1)) {
    int bytes = 0;
    if (ioctl(fd, FIONREAD, &bytes) != 0 || bytes >= capacity) return;
    usleep(1000);
    poll(&pipe, 1, 0);
  }
}

}  // namespace

PeekedInput::PeekedInput(int fd) {
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) return;
  if (S_ISREG(info.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) path_ = fmt::format("/dev/fd/{}", fd);
  if (S_ISFIFO(info.st_mode)) copy_pipe(fd);
}

PeekedInput::~PeekedInput() {
  if (copy_ >= 0) close(copy_);
}

void PeekedInput::copy_pipe(int fd) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const int capacity = fcntl(ends[1], F_GETPIPE_SZ), own = fcntl(fd, F_GETPIPE_SZ);
  wait_until_full(fd, std::min(capacity, own));
  const bool copied = tee(fd, ends[1], static_cast<size_t>(capacity), SPLICE_F_NONBLOCK) >= 0;
  close(ends[1]);
  copy_ = ends[0];
  if (copied) path_ = fmt::format("/dev/fd/{}", copy_);
}

}  // namespace mrc
