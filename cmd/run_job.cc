#include "cmd/run_job.h"

#include "base/name_index.h"
#include "base/signals.h"
#include "cmd/allocator.h"
#include "cmd/empty_answer.h"
#include "cmd/messages.h"
#include "combine/hyperloglog.h"
#include "sched/sched.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

namespace mrc {
namespace {

i64 peak_memory(int whose) {
  struct rusage usage;
  getrusage(whose, &usage);
  return i64{usage.ru_maxrss} * 1024;
}

void note_error_of_estimate() {
  const double percent = 100 * HyperLogLog::standard_error();
  say_info(fmt::format(
      "this is an estimate, within {:.2f} % in two of three cases and within {:.1f} % in 95 of 100",
      percent, 2 * percent));
}

// A job that reads no more than it needs does not know how many records the input has.
void warn_of_bad_records(const Report &report) {
  std::string of;
  if (report.read_records > 0) of = " of " + std::to_string(report.read_records);
  const bool one = report.bad_records == 1;
  say_warning(fmt::format("{}{} record{} {} left out; the first: {}", report.bad_records, of,
                          one && of.empty() ? "" : "s", one ? "is" : "are", report.first_bad));
}

void warn_of_bad_values(const Report &report) {
  const bool one = report.bad_values == 1;
  const i64 records = std::max(report.read_records, report.used_records);
  const std::string of =
      records > 0 ? fmt::format(" in {} record{}", records, records == 1 ? "" : "s") : "";
  say_warning(fmt::format("{} value{}{} {} not fit and count{} as missing; the first: {}",
                          report.bad_values, one ? "" : "s", of, one ? "does" : "do",
                          one ? "s" : "", report.first_bad_value));
}

void warn_of_bad_results(const Report &report) {
  const bool one = report.bad_results == 1;
  say_warning(fmt::format("{} result{} cannot be computed and {} empty; the first: {}",
                          report.bad_results, one ? "" : "s", one ? "is" : "are",
                          report.first_bad_result));
}

// A field that no record has may be a misspelled name.
void warn_of_missing_fields(const Compiled &compiled, const Report &report) {
  const Program &program = compiled.program;
  if (program.join || !program.lookups.empty() || !compiled.kinds) return;
  NameIndex found;
  for (const FoundField &field : program.found) found.add(field.name, 0);
  for (const std::string &name : report.missing_fields) {
    if (found.find(name) >= 0) continue;  // in a record that the job leaves out, or null
    if (std::ranges::find(compiled.lost_folders, name) != compiled.lost_folders.end()) {
      say_warning(
          fmt::format("no record that was read has the field \"{}\": only the first stage "
                      "reads it, from folders; name it there, as in select -k {}",
                      visible(name), visible(name)));
      continue;
    }
    if (compiled.kinds->is_known(name)) continue;
    say_warning(fmt::format("no record that was read has the field \"{}\"{}", visible(name),
                            compiled.kinds->nearest(name)));
  }
}

// Only people at a terminal wonder: cron mails what a job writes to stderr.
void explain_empty_answer(const Compiled &compiled, const Report &report) {
  if (isatty(STDERR_FILENO) == 0) return;
  if (const std::string reason = reason_of_empty_answer(compiled, report); !reason.empty()) {
    say_info(reason);
  }
}

// Returns null if the run opens the output that the program names.
std::unique_ptr<OutputFile> output_of(const Plan &plan, JobEnds *ends) {
  constexpr i64 kShare = 8;  // memory divided by this is for the next stage's records
  if (ends->to == nullptr) return std::move(ends->output);
  ends->to->keep_within(plan.memory / kShare, plan.tmpdir);
  return OutputFile::to(ends->to);
}

// Prints the messages about a run, and returns the exit status.
int conclude(const Compiled &compiled, const Report &report) {
  const Program &program = compiled.program;
  const bool quiet = compiled.reporting.quiet;
  if (report.unread) return kError;
  if (report.bad_records > 0) warn_of_bad_records(report);
  if (report.bad_values > 0) warn_of_bad_values(report);
  if (report.bad_results > 0) warn_of_bad_results(report);
  warn_of_missing_fields(compiled, report);
  const bool estimates = program.stage->makes == Makes::estimate && !program.partial.is_wanted;
  if (estimates && !quiet) note_error_of_estimate();
  for (const std::string &note : compiled.notes) {
    if (!quiet) say_info(note);
  }
  if (!report.note.empty() && !quiet) say_info(report.note);
  if (!quiet) explain_empty_answer(compiled, report);
  if (!report.disorder.empty()) {
    if (!quiet) fputs(("mrc: sort: " + visible(report.disorder) + "\n").c_str(), stderr);
    return kNegative;
  }
  // A reader that has left has found what it looked for.
  const bool asks_whether = program.transform && program.transform->terms().asks_whether;
  const bool found = !asks_whether || report.records > 0 || report.abandoned;
  // The first match decides a silent search, even if other input could not be read.
  if (report.partial && !(found && compiled.silent)) return kPartial;
  return found ? kWhole : kNegative;
}

// A plan that was made before the previous stage had rows is out of date.
std::shared_ptr<const Plan> plan_of(const Compiled &compiled, const JobEnds &ends) {
  if (compiled.plan && ends.from == nullptr) return compiled.plan;
  return std::make_shared<const Plan>(make_plan(compiled.program, nullptr, ends.from));
}

}  // namespace

int run_job(const Compiled &compiled, JobEnds ends) {
  const Program &program = compiled.program;
  const Reporting &reporting = compiled.reporting;
  if (program.memory && *program.memory > memory_share()) {
    return fail(Status::error(
        fmt::format("--memory: {} bytes are more than the {} that the server gives to each job",
                    *program.memory, memory_share())));
  }
  const std::shared_ptr<const Plan> made = plan_of(compiled, ends);
  const Plan &plan = *made;
  for (const std::string &message : plan.unreadable) say_error(message);
  for (const std::string &note : plan.notes) {
    if (!reporting.quiet) say_info(note);
  }
  const bool is_said = plan.sources.empty() && !plan.unreadable.empty();
  if (!plan.problem.is_ok() && !is_said) return fail(plan.problem);
  if (plan.sources.empty()) return kError;
  if (reporting.explain == Reporting::Explain::plan) {
    const std::string comparisons = compiled.kinds ? compiled.kinds->comparisons() : "";
    int status = print(explain(program, plan) + comparisons);
    return status == kWhole && !plan.unreadable.empty() ? kPartial : status;
  }
  constexpr i64 kScarce = i64{256} << 20;
  if (plan.memory < kScarce) give_memory_back_at_once();
  if (ends.from == nullptr) note_terminal(compiled.job, reporting.quiet, program.inputs);
  Progress progress(compiled);
  Result<Report> report = run(program, plan, &progress, output_of(plan, &ends));
  if (!report.is_ok()) return fail(report.status());
  if (ends.to != nullptr) ends.to->set_header(report->with_header);
  report->peak_bytes = peak_memory(RUSAGE_SELF);
  if (program.isolation.is_wanted) {  // shared memory is counted for each of them
    report->peak_bytes += plan.workers * peak_memory(RUSAGE_CHILDREN);
  }
  if (reporting.stats) fputs((ends.title + describe(*report)).c_str(), stderr);
  return conclude(compiled, *report);
}

int fail(const Status &status) {
  say_error(status.message());
  return kError;
}

int print(Bytes text) {
  Result<std::unique_ptr<OutputFile>> out = OutputFile::open("-");
  Status status = (*out)->write(text);
  return status.is_ok() ? kWhole : fail(status);
}

namespace {

using Time = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Share of the time that runs may take.
constexpr double kMostShare = 0.02;
constexpr double kLeastSeconds = 0.1;
constexpr auto kLook = std::chrono::milliseconds(50);

// Returns a fingerprint of the inputs: the place, size and time of each.
std::string look_at(const std::vector<std::string> &inputs) {
  std::string seen;
  for (const std::string &path : inputs) {
    struct stat info = {};
    stat(path.c_str(), &info);
    seen += fmt::format("{} {} {} {}.{} ", info.st_dev, info.st_ino, info.st_size,
                        info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  }
  return seen;
}

// The directory's manifest does not name this file, so the next run removes it if it is still
// there.
std::string answer_path(const Program &program) { return program.keep.path + "/answer"; }

std::string take_answer(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  unlink(path.c_str());
  return text;
}

// Returns the same job for an interim answer.
Compiled interim_of(const Compiled &compiled, const Room &room, const std::string &path) {
  Compiled interim = compiled;
  Program &program = interim.program;
  program.output = path;
  interim.reporting.quiet = true;
  if (!program.shape.progress.empty()) program.shape.progress = "null";
  if (room.width > 0) program.shape.width = room.width;
  if (room.rows < 0) return interim;
  if (program.live.order) program.order = *program.live.order;
  const i64 limit = program.order.limit;
  program.order.limit = limit < 0 ? room.rows : std::min(limit, room.rows);
  return interim;
}

void wait_until(Time::time_point next) {
  while (!interrupted() && Time::now() < next) std::this_thread::sleep_for(kLook);
}

}  // namespace

bool follows_state(const Program &program) { return program.follows && !program.keep.path.empty(); }

int follow_state(const Compiled &asked, const std::function<int(const Compiled &)> &run_once) {
  Compiled once = asked;
  once.program.follows = false;
  once.program.live.every_seconds = 0;  // each run is an answer of its own
  const std::unique_ptr<LiveView> view = make_live_view(once);
  once.shows_live = false;
  const std::string answer = answer_path(once.program);
  std::string seen;
  for (bool goes_on = true; goes_on;) {
    goes_on = !interrupted();
    const Time::time_point began = Time::now();
    if (const std::string now = look_at(once.program.inputs); now != seen) {
      seen = now;
      const Compiled interim = interim_of(once, view ? view->room() : Room{}, answer);
      if (const int status = run_once(interim); status == kError) return status;
      const std::string text = take_answer(answer);
      if (view) view->show({.text = text, .of = {}});
    }
    const Seconds cost = Time::now() - began;
    const Seconds pause(
        std::max({asked.program.live.every_seconds, cost.count() / kMostShare, kLeastSeconds}));
    if (goes_on) wait_until(began + std::chrono::duration_cast<Time::duration>(pause));
  }
  if (view) view->clear();
  return run_once(once);
}

}  // namespace mrc
