#include "base/signals.h"
#include "cmd/plugins.h"
#include "plugin/call.h"
#include "sched/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace mrc {
namespace {

using Pipe = std::array<int, 2>;
using SteadyClock = std::chrono::steady_clock;

// Reads both pipes to their ends, because a child that fills one must not wait for us to read the
// other. Returns true if they ended in time.
bool read_both(int out_fd, int err_fd, SteadyClock::time_point until, ChildEnd *end) {
  std::array<pollfd, 2> fds = {{{out_fd, POLLIN, 0}, {err_fd, POLLIN, 0}}};
  std::array<std::string *, 2> texts = {&end->out, &end->err};
  std::array<char, 4096> bytes;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - SteadyClock::now());
    if (left.count() <= 0) return false;
    if (poll(fds.data(), fds.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) {
      return false;
    }
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      const ssize_t size = read(fds[i].fd, bytes.data(), bytes.size());
      if (size > 0) texts[i]->append(bytes.data(), static_cast<size_t>(size));
      if (size == 0) fds[i].fd = -1;
    }
  }
  return true;
}

void write_to_parent(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t put = write(fd, text.data() + at, text.size() - at);
    if (put < 0 && errno != EINTR) return;
    if (put > 0) at += static_cast<size_t>(put);
  }
}

// Signals each thread of the child, because any of them may be in an endless loop.
void ask_where_it_is(pid_t child) {
  for (const pid_t thread : threads_of(child)) syscall(SYS_tgkill, child, thread, SIGALRM);
}

// Tries for a while, because a child may be in mrc's own code for a moment. Returns true if it has
// ended.
bool end_politely(pid_t child, int out_fd, int err_fd, ChildEnd *end) {
  for (int i = 0; i < 20; ++i) {
    ask_where_it_is(child);
    const auto soon = SteadyClock::now() + std::chrono::milliseconds(100);
    if (read_both(out_fd, err_fd, soon, end)) return true;
  }
  return false;
}

// Runs in the child. Sends reports and errors to separate pipes, and discards what a plugin prints,
// so that it does not mix with the parent's answer.
void set_up_child(pid_t parent, int err_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  dup2(err_fd, STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  report_overtime();
}

}  // namespace

bool ChildEnd::crashed() const { return !WIFEXITED(status); }
int ChildEnd::code() const { return WEXITSTATUS(status); }

std::string describe_end(const ChildEnd &end, std::chrono::seconds limit) {
  // The child's last line is about a crash, an exit or an endless loop.
  const std::string_view kPrefix = "mrc: error: ";
  const size_t at = end.err.rfind(kPrefix);
  std::string line = at != std::string::npos ? end.err.substr(at + kPrefix.size())
                     : end.overtime          ? "the plugin took too long\n"
                     : end.crashed()         ? "the plugin crashed\n"
                                             : "the plugin ended the process\n";
  if (!end.overtime) return line;
  line.pop_back();
  return fmt::format("{}: it was stopped after {} s (--timeout)\n", line, limit.count());
}

ChildEnd in_child(std::chrono::seconds limit, const std::function<int(const Reporter &)> &work) {
  const std::string last(1, '\0');  // a mark that no report contains
  Pipe out, err;
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) abort();
  const pid_t parent = getpid();
  const pid_t id = fork_worker();
  if (id == 0) {
    set_up_child(parent, err[1]);
    const int code = work([&](const std::string &text) { write_to_parent(out[1], text); });
    write_to_parent(out[1], last);
    _exit(code);
  }
  close(out[1]);
  close(err[1]);
  ChildEnd end;
  if (!read_both(out[0], err[0], SteadyClock::now() + limit, &end)) {
    end.overtime = true;
    if (!end_politely(id, out[0], err[0], &end)) kill(id, SIGKILL);
  }
  close(out[0]);
  close(err[0]);
  while (waitpid(id, &end.status, 0) < 0 && errno == EINTR) {
  }
  end.whole = end.out.ends_with(last);
  if (end.whole) end.out.pop_back();
  return end;
}

}  // namespace mrc
