// Jobs that clients hand over to the job server, and the messages between the two.
//
// Both are processes of the same version on one machine, connected by a Unix socket whose messages
// arrive whole (Channel). A message is words that end in NUL. The client begins:
//
//   mrc VERSION job BYTES     with its standard files and its working directory; then BYTES bytes
//                             of ServedJob in messages of their own, and "signal N" at any time
//   mrc VERSION status        asks for the table of jobs
//   mrc VERSION cancel ID     ends a job
//
// The server answers once, and closes the connection:
//
//   exit STATUS | killed SIGNAL    the end of the job
//   text TEXT                      the answer to a question
//   other VERSION                  the server has another version
//   refused REASON
#pragma once

#include "base/status.h"
#include "sched/worker_process.h"

#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Numbers of the files that come with a job: the standard files, then the working directory.
constexpr i64 kServedFiles = 4;
// Larger requests are refused. Arguments and environment of a process take at most 6 MiB.
constexpr i64 kMostRequestBytes = i64{8} << 20;

// A job as its client would run it.
struct ServedJob {
  std::vector<std::string> arguments;    // from the verb on
  std::vector<std::string> environment;  // NAME=VALUE
  i64 umask = 0;
  i64 nice = 0;
  std::vector<i64> ignored_signals;
  std::array<rlimit, RLIM_NLIMITS> limits = {};

  // Describes this process.
  static ServedJob of_this_process(std::vector<std::string> arguments);

  std::string to_text() const;
  // Returns nothing if the text is no job.
  static std::optional<ServedJob> from_text(Bytes text);

  // Gives this process the job's environment, limits and so on. Limits that are higher than this
  // process may have are left.
  void adopt() const;
};

// Returns those of the signals that this process does not ignore.
sigset_t without_ignored(std::initializer_list<int> signals);

// A message consists of words without NUL.
std::string message_of(const std::vector<std::string> &words);
// Returns nothing if the last word has no end.
std::optional<std::vector<std::string>> words_of(Bytes message);

// Parses a whole number without a sign; nothing if the text is something else.
std::optional<i64> parse_count(std::string_view text);

// Returns the version that both ends must have.
std::string protocol_version();

// Connects to the server at a path.
Result<Channel> connect_to_server(const std::string &path);
// Returns the socket's address. It is an error if the path does not fit.
Result<std::string> socket_address(const std::string &path);

}  // namespace mrc
