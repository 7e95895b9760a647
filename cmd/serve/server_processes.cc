#include "base/signals.h"
#include "cmd/serve/job_server.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <algorithm>

namespace mrc {

void bind_threads(pid_t pid, const std::vector<i64> &cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const i64 cpu : cpus) CPU_SET(static_cast<size_t>(cpu), &set);
  for (const pid_t thread : threads_of(pid)) sched_setaffinity(thread, sizeof set, &set);
}

void signal_job(pid_t pid, int signal) {
  if (kill(-pid, signal) != 0) kill(pid, signal);
}

void JobServer::begin_job(ServedClient *client, const std::vector<i64> &cpus) {
  const auto slot = std::ranges::find(slots_, false);
  client->slot = slot - slots_.begin();
  JobProgress *progress = progress_.at(client->slot);
  progress->bytes = progress->total = 0;
  const pid_t server = getpid(), pid = fork_worker();
  if (pid == 0) become_job(*client, server, cpus);
  if (pid < 0) {
    schedule_.remove(client->id);
    return refuse(client, Status::from_errno("the job cannot begin", errno).message());
  }
  *slot = true;
  client->pid = pid;
  client->since = Schedule::Clock::now();
  client->close_files();
}

// Runs in the child, which has no other files than its client's. It leads a session, so that it has
// no terminal that could stop it.
void JobServer::become_job(const ServedClient &client, pid_t server, const std::vector<i64> &cpus) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != server) _exit(EXIT_FAILURE);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    dup2(client.files[static_cast<size_t>(fd)], fd);
  }
  const bool is_there = fchdir(client.files.back()) == 0;
  close_range(STDERR_FILENO + 1, ~0U, 0);
  bind_threads(getpid(), cpus);
  client.job->adopt();
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  if (!is_there) {
    say_error("the working directory cannot be opened");
    _exit(2);
  }
  limit_memory_share(spec_.memory_share);
  publish_progress(progress_.at(client.slot));
  _exit(spec_.run(client.job->arguments));
}

}  // namespace mrc
