#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace mrc {
namespace {

using Pipe = std::array<int, 2>;

// Both pipes to their ends: a child that fills one must not wait for us to read the other.
void read_both(int out_fd, int err_fd, ChildEnd *end) {
  std::array<pollfd, 2> fds = {{{out_fd, POLLIN, 0}, {err_fd, POLLIN, 0}}};
  std::array<std::string *, 2> texts = {&end->out, &end->err};
  std::array<char, 4096> bytes;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      const ssize_t size = read(fds[i].fd, bytes.data(), bytes.size());
      if (size > 0) texts[i]->append(bytes.data(), static_cast<size_t>(size));
      if (size == 0) fds[i].fd = -1;
    }
  }
}

void write_all(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t put = write(fd, text.data() + at, text.size() - at);
    if (put < 0 && errno != EINTR) return;
    if (put > 0) at += static_cast<size_t>(put);
  }
}

// `child` never returns.
ChildEnd fork_child(const std::function<void(int out_fd)> &child) {
  Pipe out, err;
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) abort();
  const pid_t id = fork();
  if (id == 0) {
    dup2(err[1], STDERR_FILENO);
    child(out[1]);
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  ChildEnd end;
  read_both(out[0], err[0], &end);
  close(out[0]);
  close(err[0]);
  while (waitpid(id, &end.status, 0) < 0 && errno == EINTR) {
  }
  return end;
}

}  // namespace

bool ChildEnd::crashed() const { return !WIFEXITED(status); }
int ChildEnd::code() const { return WEXITSTATUS(status); }

ChildEnd in_child(const std::function<int(const Reporter &)> &work) {
  const std::string last(1, '\0');  // what nobody reports
  ChildEnd end = fork_child([&](int out_fd) {
    const int code = work([&](const std::string &text) { write_all(out_fd, text); });
    write_all(out_fd, last);
    _exit(code);
  });
  end.whole = end.out.ends_with(last);
  if (end.whole) end.out.pop_back();
  return end;
}

ChildEnd run_mrc(const std::vector<std::string> &arguments) {
  return fork_child([&](int out_fd) {
    dup2(out_fd, STDOUT_FILENO);
    std::vector<char *> words = {const_cast<char *>("mrc")};
    for (const std::string &word : arguments) words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    execv("/proc/self/exe", words.data());
  });
}

}  // namespace mrc
