#include "cmd/serve/request.h"
#include "cmd/serve/server.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace mrc {
namespace {

// Forwards signals to the job while this exists.
class Forwarding {
 public:
  explicit Forwarding(const Channel *channel)
      : channel_(*channel),
        // These come from a terminal, a shell or a supervisor.
        signals_(without_ignored({SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT})) {
    sigprocmask(SIG_BLOCK, &signals_, nullptr);
    fd_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~Forwarding() {
    close(fd_);
    sigprocmask(SIG_UNBLOCK, &signals_, nullptr);
  }
  Forwarding(const Forwarding &) = delete;

  int fd() const { return fd_; }
  void forward() {
    signalfd_siginfo info;
    while (read(fd_, &info, sizeof info) == sizeof info) {
      const bool stops = info.ssi_signo == SIGTSTP;
      send(stops ? SIGSTOP : static_cast<int>(info.ssi_signo));
      if (stops) raise(SIGSTOP);
    }
  }

 private:
  void send(int signal) {
    static_cast<void>(channel_.send(message_of({"signal", std::to_string(signal)})));
  }

  const Channel &channel_;
  const sigset_t signals_;
  int fd_;
};

[[noreturn]] void die_of(int signal) {
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  ::signal(signal, SIG_DFL);
  fflush(stderr);
  raise(signal);
  _exit(128 + signal);
}

Status lost(const std::string &path) { return Status::error(path + ": the server has ended"); }

// Sends the job, unless the server has answered already.
void send_job(const Channel &channel, const ServedJob &job) {
  const int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  const std::array<int, kServedFiles> files = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, folder};
  const std::string text = job.to_text();
  bool goes_on = channel.send(
      message_of({"mrc", protocol_version(), "job", std::to_string(text.size())}), files);
  for (size_t at = 0; goes_on && at < text.size(); at += Channel::kMostBytes) {
    goes_on = channel.send(Bytes(text).substr(at, Channel::kMostBytes));
  }
  close(folder);
}

// The answer has two words.
Result<std::vector<std::string>> answer_of(const Channel &channel, const std::string &path) {
  Channel::Message message;
  if (channel.receive(&message, true) != Channel::Got::message) return lost(path);
  std::optional<std::vector<std::string>> words = words_of(message.text);
  if (!words || words->size() != 2) return lost(path);
  return std::move(*words);
}

// Returns an error if the server does not do what it was asked for.
Status refusal_in(const std::vector<std::string> &answer, const std::string &path) {
  const std::string &kind = answer[0], &text = answer[1];
  if (kind == "refused") return Status::error(path + ": " + text);
  if (kind != "other") return Status::ok();
  return Status::error(
      fmt::format("{}: the server is {}, and this is {}", path, text, protocol_version()));
}

void wait_for_answer(const Channel &channel, Forwarding *signals) {
  for (;;) {
    std::array<pollfd, 2> fds = {{{channel.fd(), POLLIN, 0}, {signals->fd(), POLLIN, 0}}};
    if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) break;
    if (fds[1].revents != 0) signals->forward();
    if (fds[0].revents != 0) break;
  }
}

}  // namespace

Result<int> run_by_server(const std::string &path, const std::vector<std::string> &arguments,
                          bool *has_begun) {
  *has_begun = false;
  Result<Channel> channel = connect_to_server(path);
  if (!channel.is_ok()) return channel.status();
  {
    Forwarding signals(&*channel);
    send_job(*channel, ServedJob::of_this_process(arguments));
    wait_for_answer(*channel, &signals);
  }
  *has_begun = true;
  const Result<std::vector<std::string>> answer = answer_of(*channel, path);
  if (!answer.is_ok()) return answer.status();
  if (const Status refused = refusal_in(*answer, path); !refused.is_ok()) {
    *has_begun = false;
    return refused;
  }
  const auto number = static_cast<int>(parse_count((*answer)[1]).value_or(0));
  if ((*answer)[0] == "killed") die_of(number);
  return number;
}

Result<std::string> ask_server(const std::string &path, const std::vector<std::string> &question) {
  const Result<Channel> channel = connect_to_server(path);
  if (!channel.is_ok()) return channel.status();
  std::vector<std::string> words = {"mrc", protocol_version()};
  words.insert(words.end(), question.begin(), question.end());
  static_cast<void>(channel->send(message_of(words)));
  const Result<std::vector<std::string>> answer = answer_of(*channel, path);
  if (!answer.is_ok()) return answer.status();
  const Status refused = refusal_in(*answer, path);
  return refused.is_ok() ? Result<std::string>((*answer)[1]) : refused;
}

}  // namespace mrc
