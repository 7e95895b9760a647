// mrc serve: the job server, and questions to it.
#include "cmd/dispatch.h"
#include "cmd/plugins.h"
#include "cmd/serve/server.h"
#include "cmd/values.h"
#include "sched/sched.h"
#include "sched/worker_process.h"

#include <algorithm>
#include <cstdlib>

namespace mrc {
namespace {

constexpr i64 kMostJobs = 256;

const Option kOptions[] = {
    {"--socket", "PATH", "socket of the server; default: MRC_SERVER, or in XDG_RUNTIME_DIR",
     nullptr, set_text<"needs a path", &Ask::serve, &AskedServe::socket>},
    {"--jobs", "NUMBER", "most jobs at once; default: 2 for each CPU, at least 8", nullptr,
     set_integer<1, kMostJobs, &Ask::serve, &AskedServe::jobs>},
    {"-S, --memory", "SIZE", "memory of all jobs, which share it equally", nullptr,
     set_size<&Ask::run, &RunSettings::memory>},
    {"--load", "PLUGIN", "load this plugin before the first job; may be repeated", nullptr,
     add_text<&Ask::serve, &AskedServe::plugins>, Effect::state, false, false, true},
    kPluginOption,
    kForcePluginOption,
};

Result<std::string> socket_of(const Ask &ask) {
  if (!ask.serve.socket.empty()) return ask.serve.socket;
  if (const char *path = getenv("MRC_SERVER"); path != nullptr && *path != '\0') {
    return std::string(path);
  }
  const char *folder = getenv("XDG_RUNTIME_DIR");
  if (folder == nullptr || *folder == '\0') {
    return Status::error("--socket is needed: neither MRC_SERVER nor XDG_RUNTIME_DIR is set");
  }
  return std::string(folder) + "/mrc.sock";
}

// Forked jobs find plugins loaded. `loaded` must outlive the jobs.
Status load_plugins(const Ask &ask, std::vector<std::shared_ptr<const Plugin>> *loaded) {
  for (const std::string &name : ask.serve.plugins) {
    Result<std::shared_ptr<const Plugin>> plugin = load_named_plugin(name, ask.plugins, false);
    if (!plugin.is_ok()) return plugin.status();
    loaded->push_back(std::move(*plugin));
  }
  // A forked job would have all locks of other threads, but not the threads.
  return other_threads() == 0 ? Status::ok()
                              : Status::error("--load: a plugin has started a thread");
}

Status serve(const Ask &ask, const std::string &path) {
  std::vector<std::shared_ptr<const Plugin>> plugins;
  if (Status status = load_plugins(ask, &plugins); !status.is_ok()) return status;
  const i64 cpus = available_cpus();
  const i64 jobs = ask.serve.jobs > 0 ? ask.serve.jobs : std::clamp<i64>(2 * cpus, 8, kMostJobs);
  const i64 memory = ask.run.memory.value_or(available_memory(cpus));
  return serve_jobs({path, jobs, std::max<i64>(memory / jobs, 1), run_command});
}

Status answer(const Ask &ask, std::string *out) {
  const std::vector<std::string> &words = ask.arguments;
  const std::string task = words.empty() ? "" : words[0];
  const std::vector<std::string> tasks = {"status", "cancel"};
  if (!task.empty() && std::ranges::find(tasks, task) == tasks.end()) {
    return Status::error("serve: no task \"" + task + "\"; there are status, cancel" +
                         did_you_mean(task, tasks));
  }
  const size_t wanted = task.empty() ? 0 : task == "cancel" ? 2 : 1;
  if (words.size() != wanted) {
    return Status::error("serve: " + task +
                         (task == "cancel" ? ": needs the id of a job" : ": takes no more words"));
  }
  const Result<std::string> path = socket_of(ask);
  if (!path.is_ok()) return path.status().within("serve");
  if (task.empty()) return serve(ask, *path);
  const Result<std::string> text = ask_server(*path, words);
  if (text.is_ok()) *out = *text;
  return text.is_ok() ? Status::ok() : text.status();
}

}  // namespace

extern const Verb verb_serve;
const Verb verb_serve = {
    .name = "serve",
    .arguments = "[status | cancel ID]",
    .summary = "run jobs of clients, several at once on disjoint CPUs",
    .description =
        "Waits for clients on a socket: mrc --server PATH VERB ..., or any mrc whose environment\n"
        "has MRC_SERVER=PATH. A served job has the files, directory, environment and limits of "
        "its\n"
        "client, and its bytes, messages and exit status are those of a job without a server.\n"
        "Jobs run at once on disjoint CPUs and with equal shares of the memory; clients take\n"
        "turns, and short jobs do not wait for the end of long ones. SIGTERM lets jobs end, a\n"
        "second one ends them. status lists the jobs; cancel ends one.",
    .examples =
        "  mrc serve --socket /run/user/1000/mrc.sock &\n"
        "  MRC_SERVER=/run/user/1000/mrc.sock mrc count -k status access.log\n"
        "  mrc serve status --socket /run/user/1000/mrc.sock\n",
    .options = kOptions,
    .errand = answer,
};

}  // namespace mrc
