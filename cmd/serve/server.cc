#include "cmd/serve/job_server.h"

#include <errno.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>

namespace mrc {
namespace {

using Time = Schedule::Clock;
constexpr auto kPatience = std::chrono::seconds(10);  // with a request that is not whole
constexpr auto kGrace = std::chrono::seconds(2);      // from SIGTERM to SIGKILL

}  // namespace

Status JobServer::begin() {
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  if (Status status = listener_.open(spec_.path); !status.is_ok()) return status;
  const sigset_t mask = without_ignored({SIGCHLD, SIGTERM, SIGINT, SIGHUP});
  sigprocmask(SIG_BLOCK, &mask, &mask_before_);
  signals_ = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) return Status::from_errno("signals", errno);
  say_info(fmt::format("serves at {}: {} jobs at once on {} CPUs, {} MiB for each",
                       listener_.place(), spec_.most_jobs, allowed_cpus().size(),
                       spec_.memory_share >> 20));
  notify_systemd("READY=1");
  return Status::ok();
}

Status JobServer::serve() {
  if (Status status = begin(); !status.is_ok()) return status;
  while (!drains_ || !clients_.empty()) {
    poll_once();
    look_at_time();
    std::erase_if(clients_, [](const auto &client) { return client->is_gone && client->pid == 0; });
    run_schedule();
  }
  return Status::ok();
}

void JobServer::poll_once() {
  std::vector<pollfd> fds = {{signals_, POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
  std::vector<ServedClient *> polled;
  for (const auto &client : clients_) {
    if (client->is_gone) continue;
    fds.push_back({client->channel.fd(), POLLIN, 0});
    polled.push_back(client.get());
  }
  if (poll(fds.data(), fds.size(), time_to_wait()) < 0) return;
  if (fds[0].revents != 0) take_signals();
  for (size_t i = 0; i < polled.size(); ++i) {
    if (fds[i + 2].revents != 0 && !polled[i]->is_gone) take_messages(polled[i]);
  }
  if (fds[1].revents != 0) accept_clients();
}

// Returns milliseconds for poll().
int JobServer::time_to_wait() const {
  std::optional<Time::time_point> next = schedule_.next_look();
  const auto add = [&](Time::time_point at) { next = next ? std::min(*next, at) : at; };
  for (const auto &client : clients_) {
    if (client->id == 0 && !client->is_gone) add(client->since + kPatience);
    if (client->kill_at) add(*client->kill_at);
  }
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Time::now());
  return static_cast<int>(std::max<i64>(left.count(), 0));
}

void JobServer::take_signals() {
  signalfd_siginfo info;
  while (read(signals_, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) {
      end_jobs();
      continue;
    }
    if (drains_) {
      for (const auto &client : clients_) end_politely(client.get());
      continue;
    }
    drains_ = true;
    listener_.end();
    notify_systemd("STOPPING=1");
    for (const auto &client : clients_) {
      if (client->id == 0 && !client->is_gone) refuse(client.get(), "the server is ending");
    }
  }
}

// Answers the clients whose jobs have ended.
void JobServer::end_jobs() {
  int status = 0;
  for (pid_t pid = waitpid(-1, &status, WNOHANG); pid > 0; pid = waitpid(-1, &status, WNOHANG)) {
    const auto found =
        std::ranges::find_if(clients_, [&](const auto &client) { return client->pid == pid; });
    if (found == clients_.end()) continue;
    ServedClient *client = found->get();
    kill(-pid, SIGKILL);  // commands that the job has left
    client->pid = 0;
    client->kill_at.reset();
    slots_[static_cast<size_t>(client->slot)] = false;
    schedule_.remove(client->id);
    const bool is_killed = WIFSIGNALED(status);
    answer(client, {is_killed ? "killed" : "exit",
                    std::to_string(is_killed ? WTERMSIG(status) : WEXITSTATUS(status))});
  }
}

// Ends a job by SIGTERM, and later by SIGKILL.
void JobServer::end_politely(ServedClient *client) {
  if (client->id == 0 || client->kill_at) return;
  if (client->pid == 0) {
    schedule_.remove(client->id);
    return answer(client, {"killed", std::to_string(SIGTERM)});
  }
  kill(client->pid, SIGTERM);
  signal_job(client->pid, SIGCONT);
  client->kill_at = Time::now() + kGrace;
}

void JobServer::look_at_time() {
  const Time::time_point now = Time::now();
  for (const auto &client : clients_) {
    if (client->id == 0 && !client->is_gone && now >= client->since + kPatience) {
      refuse(client.get(), "the request is not whole");
    }
    if (client->kill_at && now >= *client->kill_at && client->pid != 0) {
      signal_job(client->pid, SIGKILL);
      client->kill_at = now + kGrace;
    }
  }
}

ServedClient *JobServer::find(i64 id) const {
  const auto found = std::ranges::find_if(
      clients_, [&](const auto &client) { return id > 0 && client->id == id; });
  return found == clients_.end() ? nullptr : found->get();
}

void JobServer::run_schedule() {
  for (const Schedule::Step &step : schedule_.next(Time::now())) take_step(step);
}

void JobServer::take_step(const Schedule::Step &step) {
  ServedClient *client = find(step.job);
  if (client == nullptr) return;
  switch (step.what) {
    case Schedule::Step::What::begin: return begin_job(client, step.cpus);
    case Schedule::Step::What::pause:
      if (!client->kill_at) signal_job(client->pid, SIGSTOP);
      return;
    case Schedule::Step::What::move: return bind_threads(client->pid, step.cpus);
    case Schedule::Step::What::resume: break;
  }
  bind_threads(client->pid, step.cpus);
  if (!client->is_stopped) signal_job(client->pid, SIGCONT);
}

Status serve_jobs(const ServerSpec &spec) { return JobServer(spec).serve(); }

}  // namespace mrc
