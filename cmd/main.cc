// mrc: finds the verb, runs its job, and returns the exit status.
#include "base/setting_name.h"
#include "base/signals.h"
#include "cmd/advice.h"
#include "cmd/allocator.h"
#include "cmd/chain.h"
#include "cmd/help.h"
#include "cmd/messages.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/run_job.h"
#include "plugin/call.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace mrc {
namespace {

int run_question(const Verb &verb, const Ask &ask) {
  std::string text;
  const Result<bool> yes = verb.question(ask, &text);
  if (!yes.is_ok()) return fail(yes.status());
  const int status = print(text);
  return status == kWhole && !*yes ? kNegative : status;
}

// Prints what an errand has found, even if it could not read all that was asked for.
int run_errand(const Verb &verb, const Ask &ask) {
  std::string text;
  const Status status = verb.errand(ask, &text);
  if (status.is_ok()) return print(text);
  const int printed = text.empty() ? kWhole : print(text);
  const int failed = fail(status);
  return text.empty() || printed != kWhole ? failed : kPartial;
}

int compile_and_run(const Verb &verb, const Ask &ask) {
  Compiled compiled;
  if (Status status = compile(ask, &compiled); !status.is_ok()) return fail(status);
  if (compiled.is_done) return print("");
  if (ask.reporting.explain == Reporting::Explain::job) return print(compiled.job.to_text());
  if (Status status = verb.reads_fields ? check_inputs(compiled) : Status::ok(); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (const int status = read_lookups(&compiled); status != kWhole) return status;
  if (compiled.may_end_input) end_input_at_interrupt();
  const auto run_it = [](const Compiled &of) { return run_job(of); };
  return follows_state(compiled.program) ? follow_state(compiled, run_it) : run_job(compiled);
}

// `plugin` is the word in the place of the verb, if it is the name of a plugin's job.
int run_verb(const Verb &verb, std::vector<std::string> arguments, const std::string &plugin = "") {
  Ask ask;
  ask.plugins.verb = plugin;
  if (!plugin.empty()) arguments.insert(arguments.begin(), plugin);
  if (Status status = parse(verb, arguments, &ask); !status.is_ok()) return fail(status);
  if (ask.help != Ask::Help::none && !plugin.empty()) {
    const Result<std::string> text = help_of_plugin(plugin, ask);
    return text.is_ok() ? print(*text) : fail(text.status());
  }
  if (ask.help != Ask::Help::none) return print(help_of(verb, ask.help));
  if (verb.question != nullptr) return run_question(verb, ask);
  return verb.is_job() ? compile_and_run(verb, ask) : run_errand(verb, ask);
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
  } else if (stages->size() > 1 ||
             (stages->front().verb != nullptr && stages->front().verb->stages != nullptr)) {
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
