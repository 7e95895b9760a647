// scaling_law BUILD short|long|try ...: the cost of every verb and aggregate must grow in
// proportion to the input, whatever the shape of keys.
//
// Each job runs on n and 2n records. The cost of the same command on one record, its start, is
// subtracted, and n is doubled until the rest is more than the start. A job fails if 2n costs more
// than 2.25 times as much as n. If it costs at most 3 times as much, the job fails only if 4n and
// 8n also cost more than 2.25 times as much as what is half of them: a table that no longer fits a
// cache and another pass over runs are steps, and a cliff goes on. A job also fails if its memory
// exceeds --memory plus 64 MiB. Jobs run on all CPUs at once, which disturbs CPU time; so what
// failed by time is judged once more, alone, and that counts.
//
//   scaling_law BUILD short    instructions, a small job for each command that begins in a minute
//   scaling_law BUILD long     CPU time, all jobs: at most 20 minutes on two CPUs
//   scaling_law BUILD list     prints the commands
//   scaling_law BUILD try instructions|milliseconds SHAPE RECORDS COMMAND
//                              one job, as it was printed
//
// $MRC_SEED draws threads, memory and the order of jobs; $MRC_BENCH_MB is the size of n.
#include "scaling/cost.h"
#include "scaling/jobs.h"
#include "scaling/shapes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMostRatio = 2.25;
constexpr double kCertainRatio = 3;  // too much for a step
constexpr double kMostBeyondMib = 64;
constexpr int kRounds = 3;
constexpr int kMostDoublings = 4;

constexpr Form kShort = {false, 55, 3 << 20, {1 << 10, 2 << 10}, " --split 128K", 60};
constexpr Form kLong = {true, 600, 64 << 20, {4 << 10, 16 << 10}, "", 20 * 60};

volatile std::sig_atomic_t interrupted = 0;

struct Finding {
  Job job;
  i64 records = 0;             // n
  double ratio = 0, next = 0;  // of 2n and n; beyond, where that was needed
  double beyond_mib = 0;       // memory, more than --memory
  double work = 0;             // of n
  std::string error;

  bool too_slow() const { return ratio > kCertainRatio || std::min(ratio, next) > kMostRatio; }
  bool too_large() const { return beyond_mib > kMostBeyondMib; }
  bool failed() const { return too_slow() || too_large() || !error.empty(); }
};

class Law {
 public:
  Law(std::string build, Gauge gauge, const Form &form)
      : build_(std::move(build)),
        gauge_(gauge),
        form_(form),
        inputs_(fmt::format("{}/bench-data/scaling-{}", build_, getpid())) {}

  // Runs them on all CPUs, until they have run or the time is up.
  std::vector<Finding> judge_all(const std::vector<Job> &jobs) {
    const auto begin = Clock::now();
    std::vector<Finding> findings(jobs.size());
    std::atomic<size_t> next{0}, done{0};
    auto work = [&] {
      for (size_t i; !interrupted && (i = next++) < jobs.size();) {
        const std::chrono::duration<double> passed = Clock::now() - begin;
        if (form_.seconds > 0 && passed.count() > form_.seconds) return;
        findings[i] = judge(jobs[i], form_.bytes / jobs[i].shape->bytes);
        report(findings[i], ++done, jobs.size());
      }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
    threads.clear();
    std::erase_if(findings, [](const Finding &finding) { return finding.records == 0; });
    return findings;
  }

  // Judges again, one at a time, the jobs that were too slow while others ran.
  void confirm(std::vector<Finding> *findings) {
    if (gauge_ == Gauge::instructions) return;  // they do not depend on what else runs
    for (Finding &finding : *findings) {
      if (interrupted || !finding.too_slow()) continue;
      const i64 records = form_.bytes / finding.job.shape->bytes;
      finding = judge(finding.job, records);
      fmt::print(stderr, "alone: {} {} {}\n", finding.job.shape->name, shown(finding.job),
                 verdict(finding));
    }
  }

  Finding judge(const Job &job, i64 records) {
    Finding finding;
    finding.job = job;
    finding.records = records;
    const double start = cost(&finding, 1);
    double once = cost(&finding, records) - start;
    for (int i = 0; once < start && i < kMostDoublings && finding.error.empty(); ++i) {
      finding.records *= 2;
      once = cost(&finding, finding.records) - start;
    }
    if (!finding.error.empty()) return finding;
    finding.work = once;
    if (once < start) return finding;  // next to nothing, and bounded by the start
    const double twice = cost(&finding, 2 * finding.records) - start;
    if (!finding.error.empty()) return finding;
    finding.ratio = twice / once;
    if (finding.ratio > kMostRatio && finding.ratio <= kCertainRatio) {
      finding.next = next_ratio(&finding, start, twice);
    }
    if (gauge_ == Gauge::instructions && job.promised_kib > 0) weigh(&finding);
    return finding;
  }

  // Returns the least ratio of two doublings beyond 2n, whose cost is `twice`.
  double next_ratio(Finding *finding, double start, double twice) {
    double least = kCertainRatio, before = twice;
    for (i64 times = 4; times <= 8 && least > kMostRatio && finding->error.empty(); times *= 2) {
      const double work = cost(finding, times * finding->records) - start;
      least = std::min(least, work / before);
      before = work;
    }
    return least;
  }

  // The line that repeats a job, whatever the seed.
  std::string repeat(const Finding &finding) const {
    std::string command = shown(finding.job);
    for (const char *special : {"\\", "$", "\""}) {
      replace_all(&command, special, std::string("\\") + special);
    }
    return fmt::format("scaling_law BUILD try {} {} {} \"{}\"", unit(), finding.job.shape->name,
                       finding.records, command);
  }
  const char *unit() const {
    return gauge_ == Gauge::instructions ? "instructions" : "milliseconds";
  }
  std::string shown(const Job &job) const {
    std::string text = job.command;
    put_options(job.draw, form_.options, &text);
    return text;
  }

  static std::string verdict(const Finding &finding) {
    if (!finding.error.empty()) return finding.error;
    std::string text =
        finding.ratio == 0 ? "less than the start" : fmt::format("{:.2f}", finding.ratio);
    if (finding.next > 0) text += fmt::format(", then {:.2f}", finding.next);
    if (finding.beyond_mib > 0) text += fmt::format("; {:+.0f} MiB", finding.beyond_mib);
    return text;
  }

 private:
  // Returns the cost of so many records, or 0 after an error. Adds the memory to the finding.
  double cost(Finding *finding, i64 records) {
    if (!finding->error.empty()) return 0;
    const Cost cost = measure(line(*finding, records), gauge_, records == 1 ? 1 : kRounds);
    note_memory(cost, finding);
    finding->error = cost.error;
    return cost.work;
  }

  void weigh(Finding *finding) {
    note_memory(measure_memory(line(*finding, 2 * finding->records)), finding);
  }

  static void note_memory(const Cost &cost, Finding *finding) {
    const double allowed = static_cast<double>(finding->job.promised_kib) / 1024;
    if (allowed == 0) return;
    finding->beyond_mib = std::max(finding->beyond_mib, cost.peak_mib - allowed);
  }

  // The command with its files, and an empty directory of its own.
  std::string line(const Finding &finding, i64 records) {
    const std::string own = fmt::format("{}/job{}", inputs_.directory(), ++directories_);
    std::string text = finding.job.command;
    put_options(finding.job.draw, form_.options, &text);
    replace_all(&text, "{dir}", own);
    for (const std::string_view layout : kLayouts) {
      const std::string name = fmt::format("{{{}}}", layout);
      if (text.find(name) == std::string::npos) continue;
      replace_all(&text, name, inputs_.file(*finding.job.shape, layout, records));
    }
    return fmt::format("rm -rf {0} && mkdir -p {0} && {1}", own, text);
  }

  void report(const Finding &finding, size_t done, size_t all) const {
    if (interrupted || (!finding.failed() && !isatty(STDERR_FILENO))) return;
    const std::string what = finding.failed() ? "FAILED " + verdict(finding) : "ok";
    fmt::print(stderr, "{}/{} {} {} {}\n", done, all, finding.job.shape->name, shown(finding.job),
               what);
  }

  std::string build_;
  Gauge gauge_;
  Form form_;
  Inputs inputs_;
  std::atomic<int> directories_{0};
};

void print_table(const Law &law, std::vector<Finding> findings, size_t most) {
  std::ranges::stable_sort(findings, [](const Finding &a, const Finding &b) {
    if (a.failed() != b.failed()) return a.failed();
    return a.ratio > b.ratio;
  });
  fmt::print("{:<8} {:>9} {:>10} {:>6} {:>6} {:>7}  {}\n", "shape", "records", law.unit(), "2n/n",
             "4n/2n", "beyond", "command");
  for (size_t i = 0; i < findings.size() && (i < most || findings[i].failed()); ++i) {
    const Finding &each = findings[i];
    fmt::print("{:<8} {:>9} {:>10.4g} {:>6.2f} {:>6.2f} {:>+7.0f}  {}{}\n", each.job.shape->name,
               each.records, each.work, each.ratio, each.next, each.beyond_mib, law.shown(each.job),
               each.failed() ? "  FAILED" : "");
    if (!each.error.empty()) fmt::print("    {}\n", Law::verdict(each));
    if (each.failed()) fmt::print("    repeat: {}\n", law.repeat(each));
  }
}

u64 seed() {
  if (const char *given = std::getenv("MRC_SEED")) return std::strtoull(given, nullptr, 10);
  return 1;
}

int usage() {
  fmt::print(stderr,
             "usage: scaling_law BUILD short|long|list\n"
             "       scaling_law BUILD try instructions|milliseconds SHAPE RECORDS COMMAND\n");
  return 2;
}

int run_form(const std::string &build, Gauge gauge, Form form, bool only_list) {
  if (const char *mb = std::getenv("MRC_BENCH_MB")) form.bytes = std::atol(mb) * 1000000;
  std::vector<std::string> errors;
  const auto commands = all_commands(form, build + "/plugins", &errors);
  for (const std::string &error : errors) {
    fmt::print(stderr, "scaling_law: {}; add one to tests/bench/scaling/jobs.cc\n", error);
  }
  if (only_list) {
    for (const std::string &command : commands) fmt::print("{}\n", command);
  }
  if (only_list || !errors.empty()) return errors.empty() ? 0 : 2;
  Law law(build, gauge, form);
  const std::vector<Job> jobs = draw_jobs(commands, form, seed());
  fmt::print("seed {}: {} jobs of {} commands and {} shapes\n", seed(), jobs.size(),
             commands.size(), shapes().size());
  std::fflush(stdout);
  std::vector<Finding> findings = law.judge_all(jobs);
  law.confirm(&findings);
  if (interrupted) return 130;
  print_table(law, findings, 20);
  const auto failed = std::ranges::count_if(findings, &Finding::failed);
  fmt::print("{} of {} jobs failed", failed, findings.size());
  if (findings.size() < jobs.size()) {
    fmt::print("; {} did not run, as the time was up", jobs.size() - findings.size());
  }
  fmt::print("\n");
  return failed == 0 ? 0 : 1;
}

int try_job(const std::string &build, char **words) {
  const std::string unit = words[0];
  const Shape *shape = find_shape(words[1]);
  const i64 records = std::atol(words[2]);
  if (shape == nullptr || records < 1) return usage();
  Job job{shape, words[3], {}};
  if (const size_t at = job.command.find("--memory "); at != std::string::npos) {
    job.promised_kib = std::atol(job.command.c_str() + at + 9);
  }
  Law law(build, unit == "instructions" ? Gauge::instructions : Gauge::milliseconds, kLong);
  const Finding finding = law.judge(job, records);
  print_table(law, {finding}, 1);
  return finding.failed() ? 1 : 0;
}

// An interrupt ends the loop, so that the inputs are removed.
int run(int argc, char **argv) {
  if (argc < 3) return usage();
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    std::signal(number, [](int) { interrupted = 1; });
  const std::string build = std::filesystem::absolute(argv[1]), what = argv[2];
  setenv("PATH", fmt::format("{}:{}", build, std::getenv("PATH")).c_str(), 1);
  setenv("MRC_PLUGIN_PATH", (build + "/plugins").c_str(), 1);
  if (what == "try" && argc == 7) return try_job(build, argv + 3);
  if (argc != 3) return usage();
  if (what == "list") return run_form(build, Gauge::milliseconds, kLong, true);
  if (what == "long") return run_form(build, Gauge::milliseconds, kLong, false);
  if (what != "short") return usage();
  if (!has_callgrind()) {
    fmt::print(stderr, "scaling_law: valgrind is not installed\n");
    return 2;
  }
  return run_form(build, Gauge::instructions, kShort, false);
}

}  // namespace
}  // namespace bench

int main(int argc, char **argv) { return bench::run(argc, argv); }
