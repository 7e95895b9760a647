// The job server: runs the jobs of its clients, several at once on disjoint CPUs (Tiled-MapReduce
// 4.4).
//
// Each job is a process, forked from the server, which has one thread and whose code, tables and
// plugins are in memory. So a job has its client's files, directory, environment and limits, and
// whatever ends it, a crash of a plugin too, ends nothing else.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <functional>
#include <string>
#include <vector>

namespace mrc {

struct ServerSpec {
  std::string path;      // of the socket
  i64 most_jobs = 0;     // that have begun and not ended
  i64 memory_share = 0;  // of each job
  // Runs a command line, and returns the exit status.
  std::function<int(const std::vector<std::string> &)> run;
};

// Serves until SIGTERM, SIGINT or SIGHUP, then until the jobs have ended; a second signal ends the
// jobs. If systemd has made the socket, `path` is ignored. REQUIRES: one thread
Status serve_jobs(const ServerSpec &spec);

// Runs a command line by the server at `path`. Returns its exit status, or dies of the signal that
// has ended the job. If there is no server of this version, or it takes no more jobs, it is an
// error, and *has_begun is false.
Result<int> run_by_server(const std::string &path, const std::vector<std::string> &arguments,
                          bool *has_begun);

// Asks the server at `path`: "status", or "cancel" and a number. Returns its answer.
Result<std::string> ask_server(const std::string &path, const std::vector<std::string> &question);

}  // namespace mrc
