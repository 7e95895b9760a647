// mrc plugins check: tests the laws of reducers, of each job's map and of the reader, and runs
// jobs. Each test is in a process of its own, so that a crash or an endless loop is a line of the
// report.
#include "check/check.h"
#include "cmd/check_memory.h"
#include "cmd/check_runs.h"
#include "cmd/job_fields.h"
#include "cmd/messages.h"
#include "cmd/plugins.h"
#include "plugin/opened_reducer.h"
#include "plugin/plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace mrc {
namespace {

enum CheckCode { kHolds = 0, kBroken = 1, kUnusable = 2, kUntried = 3, kRefused = 4 };

constexpr u64 kSeed = 1;
// Mark lines that a child writes for its parent among the report: the name of a reducer that it
// begins to test, or that is broken.
constexpr char kTries = '\1', kBreaks = '\2';
void tell(char what, const std::string &name, const Reporter &report) {
  report(what + name + "\n");
}

struct JobName {
  std::string name;
  i64 record_bytes = 0;
  std::string header = {};  // of CSV with the fields that the job asks for; "": it asks for none
};

// Returns the first line of CSV with the fields that a job asks for by name; "": there are none.
std::string header_for(const mrc_job &job) {
  std::string header;
  for (const std::string &name : names_of_records(job)) header += "\"" + name + "\",";
  return header.empty() ? "" : header + "row";  // CSV has two columns at least
}

// Returns true if no law was broken.
bool report_on(const std::string &what, const LawReport &found, const Reporter &report) {
  for (const Violation &violation : found.violations) {
    report(fmt::format("{}: {}\n{}", what, violation.law, violation.example));
  }
  if (found.violations.empty() && found.trials > 0) {
    report(fmt::format("{}: no law was broken in {} trials\n", what, found.trials));
  }
  for (const std::string &note : found.notes) report(fmt::format("{}: {}\n", what, note));
  return found.violations.empty();
}

class PluginCheck {
 public:
  PluginCheck(const Ask &ask, std::string path, CheckFolder folder, std::string *out)
      : arguments_(ask.arguments),
        ask_(ask.plugins),
        path_(std::move(path)),
        folder_(std::move(folder)),
        out_(*out) {}

  Result<bool> go() {
    if (Status status = list_jobs(); !status.is_ok()) return status;
    if (Status status = choose_samples(); !status.is_ok()) return status;
    if (good_ && checks_all_) check_reducers();
    for (const JobName &job : jobs_) {
      const CheckSamples samples(samples_, folder_, job.record_bytes, job.header);
      if (check_laws(job, samples)) check_job_runs(job, samples);
    }
    if (good_ && checks_all_) check_reader();
    out_ += path_ + verdict();
    return good_ && !vacuous_;
  }

 private:
  const char *verdict() const {
    if (!good_) return ": breaks the rules of mrc-plugin(3)\n";
    if (vacuous_) return ": was not checked, since no rows were compared\n";
    return ": no fault found (kept pointers and data races are only detected if they take "
           "effect)\n";
  }

  // Calls `work` with the plugin, in a child.
  ChildEnd with_plugin(const std::function<int(const Plugin &, const Reporter &)> &work) {
    ChildEnd end = in_child(ask_.time_limit, [&](const Reporter &report) {
      const Result<std::shared_ptr<const Plugin>> plugin = load_plugin(path_, ask_.force);
      if (plugin.is_ok()) return work(**plugin, report);
      report(plugin.status().message());
      return int{kUnusable};
    });
    take_names(&end);
    if (!end.whole) {
      end.out += describe_end(end, ask_.time_limit);
      good_ = false;
    }
    return end;
  }

  // A reducer that ended the process is broken, too.
  void take_names(ChildEnd *end) {
    std::string tried;
    std::istringstream lines(std::exchange(end->out, ""));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(kTries)) {
        tried = line.substr(1);
      } else if (line.starts_with(kBreaks)) {
        broken_.insert(line.substr(1));
      } else {
        end->out += line + (lines.eof() ? "" : "\n");
      }
    }
    if (!end->whole && !tried.empty()) broken_.insert(tried);
  }

  Status list_jobs() {
    const ChildEnd end = with_plugin([](const Plugin &plugin, const Reporter &report) {
      for (const mrc_job *job : plugin.jobs()) {
        report(fmt::format("{} {} {}\n", job->name, job->record_bytes, header_for(*job)));
      }
      return int{kHolds};
    });
    if (!end.whole) out_ += end.out;
    if (!end.whole) return Status::ok();
    if (end.code() == kUnusable) return Status::error(end.out);
    std::istringstream text(end.out);
    for (JobName job; text >> job.name >> job.record_bytes; jobs_.push_back(job)) {
      text.get();
      std::getline(text, job.header);
    }
    return Status::ok();
  }

  // Reads the arguments after the plugin: an optional name of a job, then files.
  Status choose_samples() {
    auto next = arguments_.begin() + 2;
    const auto is_meant = [&](const JobName &job) { return job.name == *next; };
    if (next != arguments_.end() && std::any_of(jobs_.begin(), jobs_.end(), is_meant)) {
      std::erase_if(jobs_, [&](const JobName &job) { return !is_meant(job); });
      checks_all_ = false;
      ++next;
    }
    samples_.assign(next, arguments_.end());
    for (const std::string &sample : samples_) {
      if (access(sample.c_str(), R_OK) != 0) return Status::from_errno(sample, errno);
    }
    return Status::ok();
  }

  // Null if the reducer has no `open`.
  using Opened = Result<std::shared_ptr<const OpenedReducer>>;
  static Opened open_with_defaults(const Plugin &plugin, const mrc_reducer &reducer) {
    if (reducer.open == nullptr) return std::shared_ptr<const OpenedReducer>();
    const size_t fields = reducer.value_count;
    Status status = check_arguments(plugin, reducer, form_of(reducer), fields, 0);
    return status.is_ok() ? OpenedReducer::open(plugin, reducer, form_of(reducer), {}) : status;
  }

  void check_reducers() {
    const CheckSamples samples(samples_, folder_, 0);
    const ChildEnd end = with_plugin([&](const Plugin &plugin, const Reporter &report) {
      bool all_hold = true, all_tried = true;
      for (const mrc_reducer *reducer : plugin.reducers()) {
        const Opened opened = open_with_defaults(plugin, *reducer);
        if (!opened.is_ok()) {
          report(fmt::format("reducer {}: was not tried with its defaults: {}\n", reducer->name,
                             opened.status().message()));
          all_tried = false;
          continue;
        }
        const void *context = *opened ? (*opened)->self() : nullptr;
        tell(kTries, reducer->name, report);
        const bool holds =
            report_on(fmt::format("reducer {}", reducer->name),
                      check_reducer_laws(path_, *reducer, context, samples.lines, kSeed), report);
        if (!holds) tell(kBreaks, reducer->name, report);
        all_hold = all_hold && holds;
      }
      return !all_hold ? kBroken : all_tried ? kHolds : kUntried;
    });
    vacuous_ = vacuous_ || (end.whole && end.code() == kUntried);
    good_ = good_ && end.whole && end.code() != kBroken;
    out_ += end.out;
  }

  void check_reader() {
    const ChildEnd end = with_plugin([&](const Plugin &plugin, const Reporter &report) {
      if (plugin.reader() == nullptr) return int{kHolds};
      bool all_hold = true;
      std::string untried = samples_.empty() ? "it is given none" : "";
      for (const std::string &sample : samples_) {
        const LawReport found = check_reader_laws(plugin, sample);
        if (!found.untried.empty()) untried = found.untried;
        all_hold = report_on("reader", found, report) && all_hold;
      }
      if (untried.empty() || !all_hold) return all_hold ? int{kHolds} : int{kBroken};
      report(
          fmt::format("reader: compared no rows: {}\n  name a file that it can read: mrc plugins "
                      "check {} FILE\n",
                      untried, path_));
      return int{kUntried};
    });
    out_ += end.out;
    vacuous_ = vacuous_ || (end.whole && end.code() == kUntried);
    good_ = good_ && end.whole && end.code() != kBroken;
  }

  // Returns true if it is worthwhile to run the job. A run would only repeat known faults.
  bool check_laws(const JobName &job, const CheckSamples &samples) {
    const ChildEnd end = with_plugin([&](const Plugin &plugin, const Reporter &report) {
      return try_laws(*plugin.find_job(job.name), samples, report);
    });
    if (end.whole && (end.code() == kUntried || end.code() == kRefused)) {
      say_nothing_compared(job, end.out, end.code() == kRefused);
      return false;
    }
    out_ += end.out;
    good_ = good_ && end.whole && end.code() == kHolds;
    return end.whole && end.code() == kHolds;
  }

  // Runs in the child.
  int try_laws(const mrc_job &job, const CheckSamples &samples, const Reporter &report) const {
    const std::string what = fmt::format("job {}", job.name);
    const LawSample sample = {samples.inputs, samples.generated, ask_.settings, samples.lines};
    LawReport found = check_job_laws(path_, job, sample);
    if (!found.untried.empty()) {
      report(found.untried + "\n");
      return found.refused ? kRefused : kUntried;
    }
    const std::string broken = try_reducers(job, sample, &found, report);
    const bool holds = report_on(what, found, report);
    if (broken.empty()) return holds ? kHolds : kBroken;
    report(fmt::format("{}: was not run: its reducer {} is broken\n", what, broken));
    return kBroken;
  }

  // Tests the job's own reducers. Returns the name of one that is known to be broken, else "".
  std::string try_reducers(const mrc_job &job, const LawSample &sample, LawReport *found,
                           const Reporter &report) const {
    std::set<std::string> tried;
    for (size_t i = 0; i < job.reductions.count; ++i) {
      const mrc_reduction &reduction = job.reductions.at[i];
      const std::string name = reduction.builtin == nullptr ? reduction.reducer->name : "";
      if (broken_.contains(name)) return name;
      if (name.empty() || !tried.insert(name).second) continue;
      tell(kTries, name, report);
      LawReport of = check_job_reducer(path_, job, sample, *reduction.reducer, kSeed);
      if (!of.violations.empty()) tell(kBreaks, name, report);
      found->trials += of.trials;
      for (Violation &violation : of.violations) {
        found->violations.push_back({name + ": " + violation.law, violation.example});
      }
      for (const std::string &note : of.notes) found->notes.push_back(name + ": " + note);
    }
    return "";
  }

  void check_job_runs(const JobName &job, const CheckSamples &samples) {
    using Verdict = CheckedRuns::Verdict;
    const CheckedRuns runs = check_runs(path_, job.name, ask_, samples, folder_);
    if (runs.verdict == Verdict::nothing_compared) {
      say_nothing_compared(job, runs.text, samples.generated);
    } else {
      out_ += runs.text;
    }
    good_ = good_ && runs.verdict != Verdict::broken;
    if (runs.verdict != Verdict::same) return;
    const std::string fault = memory_fault(path_, job.name, ask_, samples, folder_);
    out_ += fault;
    good_ = good_ && fault.empty();
  }

  // `why` is one line.
  void say_nothing_compared(const JobName &job, const std::string &why, bool wants_sample) {
    vacuous_ = true;
    out_ += fmt::format("job {}: compared no rows: {}", job.name, why);
    if (!wants_sample) return;
    out_ += fmt::format("  name a file that it can read: mrc plugins check {} {} FILE\n", path_,
                        job.name);
  }

  const std::vector<std::string> &arguments_;
  const AskedPlugins &ask_;
  std::string path_;
  CheckFolder folder_;
  std::string &out_;
  std::vector<JobName> jobs_;
  std::vector<std::string> samples_;  // the author's files
  bool checks_all_ = true;            // false: only one job
  std::set<std::string> broken_;      // broken reducers
  bool good_ = true, vacuous_ = false;
};

}  // namespace

Result<bool> check_plugin(const Ask &ask, std::string *out) {
  if (ask.arguments.size() < 2) {
    return Status::error(
        "plugins: check needs a plugin: mrc plugins check ./x.so [JOB] [SAMPLE...]");
  }
  const Result<PluginPath> places = plugin_path(ask.plugins.places);
  if (!places.is_ok()) return places.status().within("plugins");
  std::string path = ask.arguments[1];
  // A name that exists as a file is that file.
  const bool here = std::filesystem::exists(path);
  if (here && path.find('/') == std::string::npos) path = "./" + path;
  const Result<std::string> found = find_plugin(path, *places);
  if (!found.is_ok()) return found.status();
  if (found->empty()) return Status::error(path + ": there is no such plugin");
  Result<CheckFolder> folder = CheckFolder::make();
  if (!folder.is_ok()) return folder.status();
  std::string text;
  const Result<bool> good = PluginCheck(ask, *found, std::move(*folder), &text).go();
  // Escapes the examples, which are text of unknown origin.
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) *out += visible(line) + "\n";
  return good;
}

}  // namespace mrc
