#include "input/inner/child_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

extern char **environ;

namespace mrc {
namespace {

void close_once(int *fd) {
  if (*fd >= 0) close(std::exchange(*fd, -1));
}

// Restores the default actions and mask of signals that programs expect.
void set_signals(posix_spawnattr_t *attributes) {
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigdefault(attributes, &defaults);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

int spawn(const std::vector<std::string> &argv, const int (&standard)[3], pid_t *id) {
  std::vector<char *> words;
  for (const std::string &word : argv) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  set_signals(&attributes);
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) posix_spawn_file_actions_adddup2(&actions, standard[i], i);
  const int error = posix_spawnp(id, words[0], &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

int ChildProgram::start(const std::vector<std::string> &argv, int input, Messages messages) {
  name_ = argv[0];
  int out[2] = {-1, -1}, in[2] = {-1, -1};
  const bool keeps = messages == Messages::kept;
  if (keeps) messages_ = memfd_create("messages", MFD_CLOEXEC);
  int error = (keeps && messages_ < 0) || pipe2(out, O_CLOEXEC) != 0 ? errno : 0;
  if (error == 0 && input < 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) {
    error = errno;
  }
  if (error == 0) {
#ifdef F_SETPIPE_SZ
    fcntl(out[0], F_SETPIPE_SZ, 1 << 20);
#endif
    const int its_error = keeps ? messages_ : STDERR_FILENO;
    error = spawn(argv, {input < 0 ? in[0] : input, out[1], its_error}, &id_);
  }
  output_ = out[0];
  input_ = in[1];
  close_once(&out[1]);
  close_once(&in[0]);
  return error;
}

ChildProgram::~ChildProgram() {
  close_once(&output_);
  close_once(&input_);
  if (id_ > 0) {
    kill(id_, SIGKILL);
    while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close_once(&messages_);
}

bool ChildProgram::await_output(bool wants_room) const {
  pollfd both[2] = {{output_, POLLIN, 0}, {wants_room ? input_ : -1, POLLOUT, 0}};
  while (poll(both, 2, -1) < 0 && errno == EINTR) {
  }
  return both[0].revents != 0 || both[1].revents == 0;
}

int ChildProgram::take_output() { return std::exchange(output_, -1); }

ssize_t ChildProgram::read(char *to, size_t size) const {
  for (;;) {
    const ssize_t got = ::read(output_, to, size);
    if (got >= 0 || errno != EINTR) return got;
  }
}

size_t ChildProgram::write(const char *from, size_t size) const {
  const ssize_t put = send(input_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (put >= 0) return static_cast<size_t>(put);
  return errno == EAGAIN || errno == EINTR ? 0 : size;
}

void ChildProgram::end_input() { close_once(&input_); }

bool ChildProgram::succeeded(std::string *reason) {
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(id_, &status, 0)) < 0 && errno == EINTR) {
  }
  id_ = -1;
  *reason = first_message();
  // If SIGCHLD is ignored there is no status: only messages can tell of an error.
  if (ended < 0) return reason->empty();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (reason->empty()) {
    *reason = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                  : "exit status " + std::to_string(WEXITSTATUS(status));
  }
  return false;
}

std::string ChildProgram::first_message() const {
  char text[500];
  const ssize_t got = pread(messages_, text, sizeof text, 0);
  std::string_view all(text, got > 0 ? static_cast<size_t>(got) : 0);
  all.remove_prefix(std::min(all.find_first_not_of("\r\n"), all.size()));
  all = all.substr(0, all.find_first_of("\r\n"));
  for (const std::string &prefix : {name_ + ": ", std::string("(stdin): ")}) {
    if (all.starts_with(prefix)) all.remove_prefix(prefix.size());
  }
  return std::string(all);
}

}  // namespace mrc
