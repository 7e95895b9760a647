#include "cmd/serve/job_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kMostBytesOfAll = i64{64} << 20;  // of requests
constexpr i64 kMostClients = 1000;
constexpr i64 kFilesPerClient = kServedFiles + 1;
constexpr i64 kOwnFiles = 32;

const char *name_of(Schedule::State state) {
  switch (state) {
    case Schedule::State::waiting: return "waiting";
    case Schedule::State::paused: return "paused";
    default: return "running";
  }
}

std::string command_of(const ServedJob &job) {
  constexpr size_t kMost = 200;
  std::string text;
  for (const std::string &word : job.arguments) text += (text.empty() ? "" : " ") + word;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return visible(text);
}

}  // namespace

void JobServer::answer(ServedClient *client, const std::vector<std::string> &words) {
  if (!client->is_gone) {
    const int fd = client->channel.fd();
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);  // a client may take nothing
    static_cast<void>(client->channel.send(message_of(words)));
    shutdown(fd, SHUT_RDWR);
  }
  client->is_gone = true;
}

void JobServer::accept_clients() {
  for (;;) {
    const int fd = accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    clients_.push_back(std::make_unique<ServedClient>(fd));
    ServedClient *client = clients_.back().get();
    ucred peer = {};
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) {
      refuse(client, "the server belongs to another user");
    }
    client->process = peer.pid;
    rlimit files = {};
    getrlimit(RLIMIT_NOFILE, &files);
    const i64 most = std::min<i64>(
        kMostClients, (static_cast<i64>(std::min<rlim_t>(files.rlim_cur, 1 << 20)) - kOwnFiles) /
                          kFilesPerClient);
    if (std::ssize(clients_) > most) refuse(client, fmt::format("the server has {} clients", most));
  }
}

i64 JobServer::bytes_of_all() const {
  i64 bytes = 0;
  for (const auto &client : clients_) bytes += std::max<i64>(client->bytes, 0);
  return bytes;
}

void JobServer::take_messages(ServedClient *client) {
  for (;;) {
    Channel::Message message;
    const Channel::Got got = client->channel.receive(&message, false);
    if (got == Channel::Got::nothing) return;
    if (got == Channel::Got::end) {  // the client has died, and its job is of no use
      client->is_gone = true;
      end_politely(client);
      return;
    }
    take_message(client, std::move(message));
    if (client->is_gone) return;
  }
}

void JobServer::take_message(ServedClient *client, Channel::Message message) {
  if (client->bytes >= 0 && client->id == 0) {
    for (const int fd : message.files) close(fd);
    return take_piece(client, message.text);
  }
  const std::optional<std::vector<std::string>> words = words_of(message.text);
  if (words && client->id == 0) return greet(client, *words, std::move(message.files));
  for (const int fd : message.files) close(fd);
  if (words) return take_order(client, *words);
  refuse(client, "this is no request of mrc");
}

void JobServer::greet(ServedClient *client, const std::vector<std::string> &words,
                      std::vector<int> files) {
  const bool is_mrc = words.size() >= 3 && words[0] == "mrc";
  const std::string question = is_mrc ? words[2] : "";
  if (is_mrc && words[1] == protocol_version() && question == "job" && words.size() == 4) {
    return announce(client, words, std::move(files));
  }
  for (const int fd : files) close(fd);
  if (!is_mrc) return refuse(client, "this is no request of mrc");
  if (words[1] != protocol_version()) return answer(client, {"other", protocol_version()});
  if (question == "status" && words.size() == 3) return answer(client, {"text", table()});
  if (question == "cancel" && words.size() == 4) return cancel(client, words[3]);
  refuse(client, "this is no request of mrc");
}

void JobServer::announce(ServedClient *client, const std::vector<std::string> &words,
                         std::vector<int> files) {
  client->files = std::move(files);
  const std::optional<i64> bytes = parse_count(words[3]);
  if (!bytes || std::ssize(client->files) != kServedFiles) {
    return refuse(client, "this is no request of mrc");
  }
  if (drains_) return refuse(client, "the server is ending");
  if (*bytes > kMostRequestBytes || bytes_of_all() + *bytes > kMostBytesOfAll) {
    return refuse(client, "its arguments and environment are too large");
  }
  client->bytes = *bytes;
}

void JobServer::take_piece(ServedClient *client, Bytes piece) {
  client->text += piece;
  if (std::ssize(client->text) < client->bytes) return;
  client->job = ServedJob::from_text(client->text);
  const bool is_whole = std::ssize(client->text) == client->bytes && client->job;
  client->text = {};
  if (!is_whole) return refuse(client, "this is no request of mrc");
  client->id = ++last_id_;
  client->since = Schedule::Clock::now();
  const pid_t session = getsid(client->process);
  schedule_.add(client->id, session > 0 ? session : client->process);
}

// A client forwards signals.
void JobServer::take_order(ServedClient *client, const std::vector<std::string> &words) {
  const bool is_signal = words.size() == 2 && words[0] == "signal";
  const i64 signal = is_signal ? parse_count(words[1]).value_or(0) : 0;
  switch (signal) {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGTERM: break;
    case SIGSTOP:
    case SIGCONT: client->is_stopped = signal == SIGSTOP; break;
    default: return;
  }
  if (client->pid == 0) {  // it has not begun
    if (signal == SIGSTOP || signal == SIGCONT) return;
    schedule_.remove(client->id);
    return answer(client, {"killed", std::to_string(signal)});
  }
  const bool is_paused = schedule_.state(client->id) == Schedule::State::paused;
  if (signal == SIGCONT && is_paused) return;
  kill(client->pid, static_cast<int>(signal));
  if (signal != SIGSTOP && signal != SIGCONT && (is_paused || client->is_stopped)) {
    signal_job(client->pid, SIGCONT);  // so that it can clean up
  }
}

void JobServer::cancel(ServedClient *client, const std::string &number) {
  ServedClient *of = find(parse_count(number).value_or(0));
  if (of == nullptr) return refuse(client, "there is no job " + number);
  end_politely(of);
  answer(client, {"text", ""});
}

// Ends when the answer would not fit in a message.
std::string JobServer::table() {
  std::string text = "id\tstate\tcpus\tseconds\tbytes\tdone\tclient\tcommand\n";
  for (const auto &client : clients_) {
    if (client->id == 0 || (client->is_gone && client->pid == 0)) continue;
    const double seconds =
        std::chrono::duration<double>(Schedule::Clock::now() - client->since).count();
    const bool has_begun = client->pid != 0;
    const i64 bytes = has_begun ? i64{progress_.at(client->slot)->bytes} : 0;
    const i64 total = has_begun ? i64{progress_.at(client->slot)->total} : 0;
    const std::string done = total > 0 ? fmt::format("{} %", bytes * 100 / total) : "";
    const std::string line =
        fmt::format("{}\t{}\t{}\t{:.1f}\t{}\t{}\t{}\t{}\n", client->id,
                    name_of(schedule_.state(client->id)), schedule_.cpus(client->id), seconds,
                    bytes, done, client->process, command_of(*client->job));
    if (std::ssize(text + line) + 64 > Channel::kMostBytes) return text;
    text += line;
  }
  return text;
}

}  // namespace mrc
