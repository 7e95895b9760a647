#include "cmd/run_job.h"

#include "base/signals.h"
#include "cmd/allocator.h"
#include "cmd/conducts.h"
#include "cmd/messages.h"
#include "cmd/values.h"
#include "combine/hyperloglog.h"

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
  say_warning(
      fmt::format("{} value{} in {} record{} {} not fit and count{} as missing; the first: {}",
                  report.bad_values, one ? "" : "s", records, records == 1 ? "" : "s",
                  one ? "does" : "do", one ? "s" : "", report.first_bad_value));
}

void warn_of_bad_results(const Report &report) {
  const bool one = report.bad_results == 1;
  say_warning(fmt::format("{} result{} cannot be computed and {} empty; the first: {}",
                          report.bad_results, one ? "" : "s", one ? "is" : "are",
                          report.first_bad_result));
}

// A field that no record has may be a misspelled name.
void warn_of_missing_fields(const Request &request, const Report &report) {
  if (request.program.join || !request.program.lookups.empty() || !request.kinds) return;
  for (const std::string &name : report.missing_fields) {
    if (request.kinds->is_known(name)) continue;
    say_warning(fmt::format("no record that was read has the field \"{}\"{}", visible(name),
                            request.kinds->nearest(name)));
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
int conclude(const Request &request, const Report &report) {
  if (report.unread) return kError;
  if (report.bad_records > 0) warn_of_bad_records(report);
  if (report.bad_values > 0) warn_of_bad_values(report);
  if (report.bad_results > 0) warn_of_bad_results(report);
  warn_of_missing_fields(request, report);
  const bool estimates =
      request.program.stage->makes == Makes::estimate && !request.program.partial.is_wanted;
  if (estimates && !request.quiet) note_error_of_estimate();
  if (!request.note.empty() && !request.quiet) say_info(request.note);
  if (!report.note.empty() && !request.quiet) say_info(report.note);
  if (!report.disorder.empty()) {
    if (!request.quiet) fputs(("mrc: sort: " + visible(report.disorder) + "\n").c_str(), stderr);
    return kNegative;
  }
  // A reader that has left has found what it looked for.
  const auto &transform = request.program.transform;
  const bool asks_whether = transform && transform->terms().asks_whether;
  const bool found = !asks_whether || report.records > 0 || report.abandoned;
  // The first match decides a silent search, even if other input could not be read.
  if (report.partial && !(found && request.silent)) return kPartial;
  return found ? kWhole : kNegative;
}

// A plan that was made before the previous stage had rows is out of date.
std::shared_ptr<const Plan> plan_of(const Request &request, const JobEnds &ends) {
  if (request.plan && ends.from == nullptr) return request.plan;
  return std::make_shared<const Plan>(make_plan(request.program, nullptr, ends.from));
}

}  // namespace

int run_job(const Request &request, JobEnds ends) {
  const std::shared_ptr<const Plan> made = plan_of(request, ends);
  const Plan &plan = *made;
  for (const std::string &message : plan.unreadable) say_error(message);
  for (const std::string &note : plan.notes) {
    if (!request.quiet) say_info(note);
  }
  if (plan.sources.empty()) return kError;
  if (!plan.problem.is_ok()) return fail(plan.problem);
  if (request.explain == Request::Explain::plan) {
    const std::string comparisons = request.kinds ? request.kinds->comparisons() : "";
    int status = print(explain(request.program, plan) + comparisons);
    return status == kWhole && !plan.unreadable.empty() ? kPartial : status;
  }
  constexpr i64 kScarce = i64{256} << 20;
  if (plan.memory < kScarce) give_memory_back_at_once();
  if (ends.from == nullptr) note_terminal(request, request.program.inputs);
  Progress progress(request);
  Result<Report> report = run(request.program, plan, &progress, output_of(plan, &ends));
  if (!report.is_ok()) return fail(report.status());
  report->peak_bytes = peak_memory(RUSAGE_SELF);
  if (request.program.isolation.is_wanted) {  // shared memory is counted for each of them
    report->peak_bytes += plan.workers * peak_memory(RUSAGE_CHILDREN);
  }
  if (request.stats) fputs((ends.title + describe(*report)).c_str(), stderr);
  return conclude(request, *report);
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

// Adds the kinds that the job depends on to its choices.
void take_kinds(Request *request) {
  if (!request->kinds) return;
  const auto add = [&](const char *option, const std::string &found) {
    const bool is_there = std::ranges::find(request->job.choices, option, &Job::Choice::option) !=
                          request->job.choices.end();
    if (!found.empty() && !is_there) request->job.choices.push_back({option, found});
  };
  add("--kinds", request->kinds->found());
  add("--shown-kinds", request->kinds->found_of_shown());
}

Status prepare_job(Request *request) {
  const Verb &verb = *find_verb(request->job.verb);
  if (Status status = verb.prepare(request); !status.is_ok()) {
    const std::string name = request->plugin_name.empty() ? verb.name : request->plugin_name;
    return status.subject() == name ? status : status.within(name);
  }
  take_kinds(request);
  Status status = choose_state(request);
  const bool follows = status.is_ok() && request->program.follows;
  if (follows) status = check_conduct(kFollow, *request);
  if (status.is_ok()) status = choose_live(request);
  if (status.is_ok()) status = choose_isolate(request);
  if (status.is_ok()) status = choose_partial(request);
  return status.is_ok() ? status : status.within(verb.name);
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
std::string answer_path(const Request &request) { return request.program.keep.path + "/answer"; }

std::string take_answer(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  unlink(path.c_str());
  return text;
}

// Returns the request for an interim answer of the same job.
Request interim_of(const Request &request, const Room &room, const std::string &path) {
  Request interim = request;
  Program &program = interim.program;
  program.output = path;
  interim.quiet = true;
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

bool follows_state(const Request &request) {
  return request.program.follows && !request.program.keep.path.empty();
}

int follow_state(const Request &asked, const std::function<int(const Request &)> &run_once) {
  Request request = asked;
  request.program.follows = false;
  request.program.live.every_seconds = 0;  // each run is an answer of its own
  const std::unique_ptr<LiveView> view = make_live_view(request);
  request.shows_live = false;
  const std::string answer = answer_path(request);
  std::string seen;
  for (bool goes_on = true; goes_on;) {
    goes_on = !interrupted();
    const Time::time_point began = Time::now();
    if (const std::string now = look_at(request.program.inputs); now != seen) {
      seen = now;
      const Request interim = interim_of(request, view ? view->room() : Room{}, answer);
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
  return run_once(request);
}

}  // namespace mrc
