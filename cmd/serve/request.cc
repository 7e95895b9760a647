#include "cmd/serve/request.h"

#include "cmd/help.h"

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr int kPassedSignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

// Takes words from the front of a text.
class WordReader {
 public:
  explicit WordReader(std::vector<std::string> all) : all_(std::move(all)) {}

  bool is_well() const { return is_well_; }
  bool is_done() const { return next_ == all_.size(); }
  std::string next() {
    is_well_ &= !is_done();
    return is_well_ ? std::move(all_[next_++]) : "";
  }
  i64 number(i64 most) {
    const std::optional<i64> value = parse_count(next());
    is_well_ &= value && *value <= most;
    return is_well_ ? *value : 0;
  }
  rlim_t limit() {
    const std::string word = next();
    if (word == "-") return RLIM_INFINITY;
    const std::optional<i64> value = parse_count(word);
    is_well_ &= value.has_value();
    return static_cast<rlim_t>(value.value_or(0));
  }
  std::vector<std::string> list(size_t count) {
    std::vector<std::string> words;
    for (size_t i = 0; i < count && is_well_; ++i) words.push_back(next());
    return words;
  }
  size_t left() const { return all_.size() - next_; }

 private:
  std::vector<std::string> all_;
  size_t next_ = 0;
  bool is_well_ = true;
};

std::string text_of(rlim_t limit) {
  return limit == RLIM_INFINITY ? "-" : std::to_string(limit & INT64_MAX);
}

mode_t current_umask() {
  const mode_t mask = umask(0);
  umask(mask);
  return mask;
}

bool is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

std::optional<i64> parse_count(std::string_view text) {
  i64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && value >= 0 && text[0] != '-' ? std::optional(value) : std::nullopt;
}

sigset_t without_ignored(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  return set;
}

std::string message_of(const std::vector<std::string> &words) {
  std::string message;
  for (const std::string &word : words) message.append(word.c_str(), word.size() + 1);
  return message;
}

std::optional<std::vector<std::string>> words_of(Bytes message) {
  if (!message.ends_with('\0')) return std::nullopt;
  std::vector<std::string> words;
  for (size_t at = 0; at < message.size();) {
    const size_t end = message.find('\0', at);
    words.emplace_back(message.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

ServedJob ServedJob::of_this_process(std::vector<std::string> arguments) {
  ServedJob job;
  job.arguments = std::move(arguments);
  // Commands of the job that call mrc must not wait for the server, which may wait for the job.
  for (char **at = environ; at != nullptr && *at != nullptr; ++at) {
    if (!std::string_view(*at).starts_with("MRC_SERVER=")) job.environment.emplace_back(*at);
  }
  job.umask = current_umask();
  job.nice = std::clamp(getpriority(PRIO_PROCESS, 0), 0, 19);
  for (const int signal : kPassedSignals) {
    if (is_ignored(signal)) job.ignored_signals.push_back(signal);
  }
  for (size_t i = 0; i < job.limits.size(); ++i) {
    getrlimit(static_cast<__rlimit_resource>(i), &job.limits[i]);
  }
  return job;
}

std::string ServedJob::to_text() const {
  std::vector<std::string> words = {std::to_string(umask), std::to_string(nice),
                                    std::to_string(ignored_signals.size())};
  for (const i64 signal : ignored_signals) words.push_back(std::to_string(signal));
  for (const rlimit &limit : limits) {
    words.push_back(text_of(limit.rlim_cur));
    words.push_back(text_of(limit.rlim_max));
  }
  words.push_back(std::to_string(arguments.size()));
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), environment.begin(), environment.end());
  return message_of(words);
}

std::optional<ServedJob> ServedJob::from_text(Bytes text) {
  std::optional<std::vector<std::string>> all = words_of(text);
  if (!all) return std::nullopt;
  WordReader words(std::move(*all));
  ServedJob job;
  job.umask = words.number(0777);
  job.nice = words.number(19);
  for (i64 left = words.number(std::ssize(kPassedSignals)); left > 0; --left) {
    job.ignored_signals.push_back(words.number(SIGRTMAX));
  }
  for (rlimit &limit : job.limits) {
    limit.rlim_cur = words.limit();
    limit.rlim_max = words.limit();
  }
  job.arguments = words.list(static_cast<size_t>(words.number(kMostRequestBytes)));
  job.environment = words.list(words.left());
  const bool are_known = std::ranges::all_of(job.ignored_signals, [](i64 signal) {
    return std::ranges::find(kPassedSignals, signal) != std::end(kPassedSignals);
  });
  if (!words.is_well() || !are_known || job.arguments.empty()) return std::nullopt;
  return job;
}

void ServedJob::adopt() const {
  clearenv();
  for (const std::string &variable : environment) {
    const size_t equals = variable.find('=', 1);
    if (equals == std::string::npos) continue;
    setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
  }
  ::umask(static_cast<mode_t>(umask));
  if (nice > getpriority(PRIO_PROCESS, 0)) setpriority(PRIO_PROCESS, 0, static_cast<int>(nice));
  for (const int signal : kPassedSignals) {
    const bool is_ignored = std::ranges::find(ignored_signals, signal) != ignored_signals.end();
    ::signal(signal, is_ignored ? SIG_IGN : SIG_DFL);
  }
  for (size_t i = 0; i < limits.size(); ++i) {
    rlimit mine;
    const auto resource = static_cast<__rlimit_resource>(i);
    if (getrlimit(resource, &mine) != 0) continue;
    const rlim_t most = std::min(mine.rlim_max, limits[i].rlim_max);
    const rlimit limit = {std::min(limits[i].rlim_cur, most), most};
    setrlimit(resource, &limit);
  }
}

std::string protocol_version() {
  const std::string text = version();
  return text.substr(0, text.find('\n'));
}

Result<std::string> socket_address(const std::string &path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Status::error(fmt::format("{}: the path of a socket has 1 to {} bytes", path,
                                     sizeof address.sun_path - 1));
  }
  memcpy(address.sun_path, path.data(), path.size());
  return std::string(reinterpret_cast<const char *>(&address), sizeof address);
}

Result<Channel> connect_to_server(const std::string &path) {
  const Result<std::string> address = socket_address(path);
  if (!address.is_ok()) return address.status();
  Channel channel(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (channel.fd() < 0) return Status::from_errno(path, errno);
  const auto *to = reinterpret_cast<const sockaddr *>(address->data());
  if (connect(channel.fd(), to, static_cast<socklen_t>(address->size())) != 0) {
    return Status::from_errno("no server at " + path, errno);
  }
  return channel;
}

}  // namespace mrc
