#include "contest.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace bench {
namespace {

bool failed = false;

// What mrc says of options and values that it does not know.
bool unknown(const std::string &errors) {
  for (const char *phrase : {"no switch \"", "unknown option", "is not one of", "no verb \""}) {
    if (errors.find(phrase) != std::string::npos) return true;
  }
  return false;
}

std::string why_absent(const Outcome &outcome, int seconds) {
  if (outcome.timed_out) return fmt::format("more than {} s", seconds);
  if (outcome.errors.find("cannot be preloaded") != std::string::npos) return "not installed";
  if (outcome.status == 0) return "";
  if (unknown(outcome.errors)) return "not in this build";
  if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 127) return "not on PATH";
  failed = true;
  return "FAILED: " + outcome.errors.substr(0, outcome.errors.find('\n'));
}

// A line on the terminal about what is being run, so that it does not seem to hang.
void tell(const std::string &text) {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\033[K{}", text);
}

bool again(const Alternative &a, size_t round) {
  if (!a.absent.empty()) return false;
  if (round == 0) return true;
  const double wall = a.samples[0].wall;
  return !(round >= 3 && wall > 10) && !(wall > 60);
}

}  // namespace

double Alternative::median_of(double Sample::*figure) const {
  std::vector<double> values;
  for (const Sample &sample : samples) values.push_back(sample.*figure);
  return median(std::move(values));
}

double ratio(const Alternative &a, const Alternative &b, double Sample::*figure) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(a.samples.size(), b.samples.size()); ++i) {
    ratios.push_back(a.samples[i].*figure / std::max(b.samples[i].*figure, 1e-9));
  }
  return median(std::move(ratios));
}

void Contest::check() {
  const Outcome *first = nullptr;
  Outcome kept;
  for (Alternative &a : all_) {
    tell(fmt::format("{}: checking {}", title_, a.name));
    Outcome outcome = bench::run(a.command, true);
    a.absent = why_absent(outcome, a.command.seconds);
    if (!a.absent.empty()) continue;
    if (first == nullptr) {
      kept = std::move(outcome);
      first = &kept;
      continue;
    }
    if (differences_allowed_) continue;
    a.differs = outcome.checksum != first->checksum || outcome.bytes != first->bytes;
    failed |= a.differs;
  }
}

void Contest::play(int rounds) {
  for (size_t round = 0; round < static_cast<size_t>(rounds); ++round) {
    for (Alternative &a : all_) {
      if (!again(a, round)) continue;
      tell(fmt::format("{}: round {} of {}: {}", title_, round + 1, rounds, a.name));
      Outcome outcome = bench::run(a.command);
      a.absent = why_absent(outcome, a.command.seconds);
      if (!a.absent.empty()) {  // it did not end this time, or failed
        a.samples.clear();
        continue;
      }
      a.samples.push_back(outcome.sample);
      a.outcomes.push_back(std::move(outcome));
    }
  }
  tell("");
}

const Alternative *Contest::best(size_t from) const {
  const Alternative *best = nullptr;
  for (size_t i = from; i < all_.size(); ++i) {
    if (all_[i].ran() && (best == nullptr || all_[i].wall() < best->wall())) best = &all_[i];
  }
  return best;
}

void Contest::print(const Alternative *base) const {
  fmt::print("{}\n  {:<30}{:>9}{:>9}{:>10}{:>8}{:>8}  {}\n", title_, "", "wall s", "CPU s",
             "peak MiB", "x wall", "x CPU", remark_.first);
  for (const Alternative &a : all_) {
    if (!a.ran()) {
      fmt::print("  {:<30} {}\n", a.name, a.absent);
      continue;
    }
    fmt::print("  {:<30}{:>9.3f}{:>9.3f}{:>10.1f}{:>8.2f}{:>8.2f}  {}{}\n", a.name, a.wall(),
               a.median_of(&Sample::cpu), a.median_of(&Sample::peak_mib),
               ratio(a, *base, &Sample::wall), ratio(a, *base, &Sample::cpu),
               remark_.second ? remark_.second(a) : "", a.differs ? " ANOTHER ANSWER" : "");
  }
  std::fflush(stdout);
}

void Contest::run(int rounds, Against against) {
  const char *only = std::getenv("MRC_BENCH_ONLY");
  if (only != nullptr && title_.find(only) == title_.npos) return;
  check();
  play(rounds);
  const bool first = against == Against::first && !all_.empty() && all_[0].ran();
  print(first ? &all_[0] : best());
}

bool any_contest_failed() { return failed; }

}  // namespace bench
