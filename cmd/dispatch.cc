// Finds the verb of a command line, and runs its job.
#include "cmd/dispatch.h"

#include "base/signals.h"
#include "cmd/advice.h"
#include "cmd/chain.h"
#include "cmd/config_file.h"
#include "cmd/help.h"
#include "cmd/introduction.h"
#include "cmd/messages.h"
#include "cmd/order_records.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/run_job.h"
#include "cmd/serve/server.h"
#include "plugin/call.h"

#include <cstdio>
#include <cstdlib>

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
  if (!ask.order.empty() && ask.order != kInOrder)
    return run_chain({{&verb, std::move(arguments)}});
  return verb.is_job() ? compile_and_run(verb, ask) : run_errand(verb, ask);
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
  if (!file->empty()) return run_verb(*find_verb("run"), others, name);
  if (!others.empty() || !is_file(name)) return fail(unknown_verb(name));
  const Result<std::string> text = introduction(name);
  return text.is_ok() ? print(*text) : fail(text.status());
}

struct NamedServer {
  std::string path;  // "": none
  bool is_option = false;
};

// Takes the option in front of the verb from the arguments. Without it, the environment may name a
// server.
Result<NamedServer> named_server(std::vector<std::string> *arguments) {
  const std::string option = "--server";
  if (!arguments->empty() && arguments->front().starts_with(option + "=")) {
    const NamedServer server = {arguments->front().substr(option.size() + 1), true};
    arguments->erase(arguments->begin());
    return server;
  }
  if (!arguments->empty() && arguments->front() == option) {
    if (arguments->size() < 2) return Status::error(option + ": needs the path of a socket");
    const NamedServer server = {(*arguments)[1], true};
    arguments->erase(arguments->begin(), arguments->begin() + 2);
    return server;
  }
  const char *path = getenv("MRC_SERVER");
  return NamedServer{path == nullptr ? "" : path};
}

// True if a server can run it: it prints and reads what the client does.
bool can_be_served(const std::vector<std::string> &arguments) {
  return !arguments.empty() && !arguments[0].starts_with("-") && arguments[0] != "serve" &&
         arguments[0] != "help" && arguments[0] != "completion";
}

bool is_quiet(const std::vector<std::string> &arguments) {
  return std::ranges::any_of(
      arguments, [](const std::string &word) { return word == "-q" || word == "--quiet"; });
}

}  // namespace

int run_command(const std::vector<std::string> &arguments) {
  int status = dispatch(arguments);
  if (const Status printed = flush_plugin_prints(); !printed.is_ok()) status = fail(printed);
  fflush(stderr);
  return status;
}

int run_here_or_by_server(std::vector<std::string> arguments) {
  const Result<NamedServer> server = named_server(&arguments);
  if (!server.is_ok()) return fail(server.status());
  if (Status status = add_configured_options(&arguments); !status.is_ok()) return fail(status);
  if (server->path.empty() || !can_be_served(arguments)) return run_command(arguments);
  bool has_begun = false;
  const Result<int> status = run_by_server(server->path, arguments, &has_begun);
  if (status.is_ok()) return *status;
  if (has_begun) return fail(status.status());
  if (server->is_option) return fail(status.status().within("--server"));
  if (!is_quiet(arguments)) {
    say_info("MRC_SERVER: " + status.status().message() + "; the job runs without a server");
  }
  return run_command(arguments);
}

}  // namespace mrc
