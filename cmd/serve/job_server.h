// The job server's state and its parts: the loop and the schedule (server.cc), what clients say
// (server_requests.cc), and the processes of jobs (server_processes.cc).
#pragma once

#include "cmd/messages.h"
#include "cmd/serve/listener.h"
#include "cmd/serve/request.h"
#include "cmd/serve/schedule.h"
#include "cmd/serve/server.h"
#include "sched/sched.h"

#include <signal.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// A client, and its job.
struct ServedClient {
  explicit ServedClient(int fd) : channel(fd) {}
  ServedClient(const ServedClient &) = delete;
  ~ServedClient() { close_files(); }

  void close_files() {
    for (const int fd : files) close(fd);
    files.clear();
  }

  Channel channel;
  pid_t process = 0;  // of the client
  std::vector<int> files;
  std::string text;  // of the request, as far as it is here
  i64 bytes = -1;    // of the whole request; negative: not announced
  std::optional<ServedJob> job;
  i64 id = 0;     // 0: the request is not whole
  pid_t pid = 0;  // of the job; 0: it has not begun
  i64 slot = -1;  // of its progress
  bool is_stopped = false, is_gone = false;
  Schedule::Clock::time_point since =
      Schedule::Clock::now();  // begin of the connection, then of the job
  std::optional<Schedule::Clock::time_point> kill_at;
};

// Binds the threads of a process to these CPUs.
void bind_threads(pid_t pid, const std::vector<i64> &cpus);
// Signals a job and the commands that it has started.
void signal_job(pid_t pid, int signal);

// Serves the jobs of one server. One thread, whose every wait is poll().
class JobServer {
 public:
  explicit JobServer(const ServerSpec &spec)
      : spec_(spec),
        schedule_(allowed_cpus(), spec.most_jobs, kSlice),
        progress_(spec.most_jobs),
        slots_(static_cast<size_t>(spec.most_jobs)) {}
  ~JobServer() {
    if (signals_ >= 0) close(signals_);
  }
  JobServer(const JobServer &) = delete;

  Status serve();

 private:
  static constexpr auto kSlice = std::chrono::milliseconds(200);

  Status begin();
  void poll_once();
  int time_to_wait() const;
  void take_signals();
  void end_jobs();
  void accept_clients();
  void answer(ServedClient *client, const std::vector<std::string> &words);
  void refuse(ServedClient *client, const std::string &reason) {
    answer(client, {"refused", reason});
  }
  void take_messages(ServedClient *client);
  void take_message(ServedClient *client, Channel::Message message);
  void greet(ServedClient *client, const std::vector<std::string> &words, std::vector<int> files);
  void announce(ServedClient *client, const std::vector<std::string> &words,
                std::vector<int> files);
  void take_piece(ServedClient *client, Bytes piece);
  void take_order(ServedClient *client, const std::vector<std::string> &words);
  void cancel(ServedClient *client, const std::string &number);
  void end_politely(ServedClient *client);
  void look_at_time();
  void run_schedule();
  void take_step(const Schedule::Step &step);
  void begin_job(ServedClient *client, const std::vector<i64> &cpus);
  [[noreturn]] void become_job(const ServedClient &client, pid_t server,
                               const std::vector<i64> &cpus);
  std::string table();
  ServedClient *find(i64 id) const;
  i64 bytes_of_all() const;

  const ServerSpec &spec_;
  Listener listener_;
  int signals_ = -1;
  sigset_t mask_before_;
  std::vector<std::unique_ptr<ServedClient>> clients_;
  Schedule schedule_;
  SharedArray<JobProgress> progress_;
  std::vector<bool> slots_;  // true: in use
  i64 last_id_ = 0;
  bool drains_ = false;
};

}  // namespace mrc
