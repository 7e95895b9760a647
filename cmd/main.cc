// mrc: finds the verb, runs its job, and turns what happened into an exit status.
#include "base/setting_name.h"
#include "base/signals.h"
#include "cmd/allocator.h"
#include "cmd/follow_state.h"
#include "cmd/help.h"
#include "cmd/messages.h"
#include "cmd/misplaced.h"
#include "cmd/out_of_memory.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/progress.h"
#include "cmd/terminal.h"
#include "cmd/values.h"
#include "combine/hyperloglog.h"
#include "plugin/call.h"

#include <fcntl.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

namespace mrc {
namespace {

// The contract of EXIT STATUS in mrc(1).
enum ExitStatus { kWhole = 0, kNegative = 1, kError = 2, kPartial = 3 };

int fail(const Status &status) {
  spdlog::error("{}", status.message());
  return kError;
}

// What is not a job's answer goes through the same door, for full disks and closed pipes.
int print(Bytes text) {
  Result<std::unique_ptr<OutputFile>> out = OutputFile::open("-");
  Status status = (*out)->write(text);
  return status.is_ok() ? kWhole : fail(status);
}

i64 peak_memory(int whose) {
  struct rusage usage;
  getrusage(whose, &usage);
  return i64{usage.ru_maxrss} * 1024;
}

void note_error_of_estimate() {
  const double percent = 100 * HyperLogLog::standard_error();
  spdlog::info(
      "this is an estimate, within {:.2f} % in two of three cases and within {:.1f} % in 95 of 100",
      percent, 2 * percent);
}

// A job that reads no more than it needs does not know how many records the input has.
void warn_of_bad_records(const Report &report) {
  std::string of;
  if (report.read_records > 0) of = " of " + std::to_string(report.read_records);
  const bool one = report.bad_records == 1;
  spdlog::warn("{}{} record{} {} left out; the first: {}", report.bad_records, of,
               one && of.empty() ? "" : "s", one ? "is" : "are", report.first_bad);
}

void warn_of_bad_values(const Report &report) {
  const bool one = report.bad_values == 1;
  spdlog::warn("{} value{} in {} record{} {} not fit and count{} as missing; the first: {}",
               report.bad_values, one ? "" : "s", report.used_records,
               report.used_records == 1 ? "" : "s", one ? "does" : "do", one ? "s" : "",
               report.first_bad_value);
}

int run_job(const Request &request) {
  const Plan plan = make_plan(request.program);
  for (const std::string &message : plan.unreadable) spdlog::error("{}", message);
  for (const std::string &note : plan.notes) {
    if (!request.quiet) spdlog::info("{}", note);
  }
  if (plan.sources.empty()) return kError;
  if (!plan.problem.is_ok()) return fail(plan.problem);
  if (request.explain == Request::Explain::plan) {
    int status = print(explain(request.program, plan));
    return status == kWhole && !plan.unreadable.empty() ? kPartial : status;
  }
  constexpr i64 kScarce = i64{256} << 20;
  if (plan.memory < kScarce) give_memory_back_at_once();
  note_terminal(request, request.program.inputs);
  Progress progress(request);
  Result<Report> report = run(request.program, plan, &progress);
  if (!report.is_ok()) return fail(report.status());
  report->peak_bytes = peak_memory(RUSAGE_SELF);
  if (request.program.isolation.is_wanted) {  // what they share counts for each
    report->peak_bytes += plan.workers * peak_memory(RUSAGE_CHILDREN);
  }
  if (request.stats) fputs(describe(*report).c_str(), stderr);
  if (report->unread) return kError;
  if (report->bad_records > 0) warn_of_bad_records(*report);
  if (report->bad_values > 0) warn_of_bad_values(*report);
  if (request.program.stage == &kSketchStage && !request.quiet) note_error_of_estimate();
  if (!request.note.empty() && !request.quiet) spdlog::info("{}", request.note);
  if (!report->note.empty() && !request.quiet) spdlog::info("{}", report->note);
  if (!report->disorder.empty()) {
    if (!request.quiet) fputs(("mrc: sort: " + visible(report->disorder) + "\n").c_str(), stderr);
    return kNegative;
  }
  // A reader that has left has found what it looked for.
  const auto &transform = request.program.transform;
  const bool asks_whether = transform && transform->terms().asks_whether;
  const bool found = !asks_whether || report->records > 0 || report->abandoned;
  // The first match decides a silent search, even if other input could not be read.
  if (report->partial && !(found && request.silent)) return kPartial;
  return found ? kWhole : kNegative;
}

int run_question(const Verb &verb, const Request &request) {
  std::string text;
  const Result<bool> yes = verb.question(request, &text);
  if (!yes.is_ok()) return fail(yes.status());
  const int status = print(text);
  return status == kWhole && !*yes ? kNegative : status;
}

// `plugin`: what stood in the place of a verb that there is not.
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
  if (Status status = verb.prepare(&request); !status.is_ok()) {
    const std::string name = plugin.empty() ? verb.name : plugin;
    return fail(status.subject() == name ? status : status.within(name));
  }
  if (Status status = choose_state(&request); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (Status status = check_follow(request); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (Status status = choose_live(&request); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (Status status = choose_isolate(&request); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (request.explain == Request::Explain::job) return print(request.job.to_text());
  if (Status status = verb.reads_fields ? check_inputs(request) : Status::ok(); !status.is_ok()) {
    return fail(status.within(verb.name));
  }
  if (request.may_end_input) end_input_at_interrupt();
  return follows_state(request) ? follow_state(request, run_job) : run_job(request);
}

// A file opened while one of these is closed would get its number, and messages or
// the answer would end up in it. What stands in cannot be used either.
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
  // A closed pipe and a file beyond its limit are errors of write(), not signals.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  mrc::write_setting_names_by([](std::string_view name) { return "--" + std::string(name); });
  mrc::begin_messages();
  int status = mrc::dispatch({argv + 1, argv + argc});
  if (const mrc::Status printed = mrc::flush_plugin_prints(); !printed.is_ok()) {
    status = mrc::fail(printed);
  }
  // Nothing is left to do: leave the kernel to take back the memory at once.
  fflush(stderr);
  _exit(status);
} catch (const std::bad_alloc &) {
  mrc::end_without_memory();
}
