// mrc: finds the verb, runs its job, and returns the exit status.
#include "base/setting_name.h"
#include "base/signals.h"
#include "cmd/advice.h"
#include "cmd/allocator.h"
#include "cmd/chain.h"
#include "cmd/conducts.h"
#include "cmd/help.h"
#include "cmd/messages.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/run_job.h"
#include "cmd/values.h"
#include "plugin/call.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace mrc {
namespace {

int run_question(const Verb &verb, const Request &request) {
  std::string text;
  const Result<bool> yes = verb.question(request, &text);
  if (!yes.is_ok()) return fail(yes.status());
  const int status = print(text);
  return status == kWhole && !*yes ? kNegative : status;
}

// `plugin` is the word in the place of the verb, if it is the name of a plugin's job.
int run_verb(const Verb &verb, const std::vector<std::string> &arguments,
             const std::string &plugin = "") {
  Request request;
  request.plugin_name = plugin;
  if (Status status = parse(verb, arguments, &request); !status.is_ok()) return fail(status);
  if (request.help != Request::Help::none && !plugin.empty()) {
    const Result<std::string> text = help_of_plugin(plugin, request);
    return text.is_ok() ? print(*text) : fail(text.status());
  }
  if (request.help != Request::Help::none) return print(help_of(verb, request.help));
  if (verb.question != nullptr) return run_question(verb, request);
  if (!verb.is_job()) {
    std::string text;
    Status status = verb.errand(request, &text);
    if (status.is_ok()) return print(text);
    const int printed = text.empty() ? kWhole : print(text);
    const int failed = fail(status);
    return text.empty() || printed != kWhole ? failed : kPartial;
  }
  if (Status status = prepare_job(&request); !status.is_ok()) return fail(status);
  if (request.is_done) return print("");
  if (request.explain == Request::Explain::job) return print(request.job.to_text());
  if (Status status = verb.reads_fields ? check_inputs(request) : Status::ok(); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (const int status = read_lookups(&request); status != kWhole) return status;
  if (request.may_end_input) end_input_at_interrupt();
  const auto run_it = [](const Request &of) { return run_job(of); };
  return follows_state(request) ? follow_state(request, run_it) : run_job(request);
}

// Opens the standard files that are closed. Otherwise another file would get the number of one of
// them, and messages or the answer would be written to it. The replacement cannot be used either.
void occupy_standard_files() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int dispatch(const std::vector<std::string> &arguments) {
  if (arguments.empty()) {
    fputs(overview().c_str(), stderr);
    return kError;
  }
  const std::string &name = arguments[0];
  if (name == "-h" || name == "--help") return print(overview());
  if (name == "-V" || name == "--version") return print(version());
  if (name.starts_with("-")) {
    return fail(Status::error("the verb comes first: mrc VERB [OPTIONS] [FILE...]; found " + name));
  }
  const std::vector<std::string> others(arguments.begin() + 1, arguments.end());
  if (name == "units" && asks_for_list(others)) return print_units(others);
  if (Result<std::vector<StageWords>> stages = split_stages(arguments); !stages.is_ok()) {
    return fail(stages.status());
  } else if (stages->size() > 1) {
    return run_chain(*stages);
  }
  if (const Verb *verb = find_verb(name)) return run_verb(*verb, others);
  const Result<std::string> file = find_job_file(name, others);
  if (!file.is_ok()) return fail(file.status());
  return file->empty() ? fail(unknown_verb(name)) : run_verb(*find_verb("run"), others, name);
}

}  // namespace
}  // namespace mrc

int main(int argc, char **argv) try {
  mrc::occupy_standard_files();
  mrc::end_cleanly_without_memory();
  // Makes a closed pipe, and a file past its size limit, errors of write() in place of signals.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // A parent may have ignored SIGCHLD; then no command would have an exit status.
  signal(SIGCHLD, SIG_DFL);
  mrc::write_setting_names_by([](std::string_view name) { return "--" + std::string(name); });
  mrc::begin_messages();
  int status = mrc::dispatch({argv + 1, argv + argc});
  if (const mrc::Status printed = mrc::flush_plugin_prints(); !printed.is_ok()) {
    status = mrc::fail(printed);
  }
  // Leaves it to the kernel to take back all memory at once.
  fflush(stderr);
  _exit(status);
} catch (const std::bad_alloc &) {
  mrc::end_without_memory();
}
