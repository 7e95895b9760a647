#include "scaling/cost.h"

#include "process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace bench {
namespace {

constexpr int kSeconds = 60;      // after which a command is ended
constexpr double kEnough = 2000;  // milliseconds, after which there are no more rounds
constexpr const char *kCallgrind =
    "valgrind --tool=callgrind --callgrind-out-file=/dev/null --fair-sched=try ";
constexpr std::string_view kCollected = "Collected : ";

struct Line {
  std::string preparation, measured;
};

Line split(const std::string &line) {
  const size_t last = line.rfind("&& ");
  if (last == std::string::npos) return {"", line};
  return {line.substr(0, last + 3), line.substr(last + 3)};
}

Outcome run_sh(const std::string &line) {
  Command command;
  command.argv = {"sh", "-c", line};
  command.seconds = kSeconds;
  return run(command);
}

// The cost of a command without an answer, with the reason.
Cost failed(const Outcome &outcome) {
  Cost cost;
  cost.ended = outcome.timed_out;
  cost.error = fmt::format("status {}", outcome.status);
  if (outcome.timed_out) cost.error = fmt::format("took more than {} s", kSeconds);
  if (const size_t at = outcome.errors.find("mrc: "); at != std::string::npos) {
    cost.error = outcome.errors.substr(at, outcome.errors.find('\n', at) - at);
  }
  return cost;
}

Cost count_instructions(const std::string &measured) {
  const Outcome outcome = run_sh("exec " + std::string(kCallgrind) + measured);
  if (outcome.status != 0) return failed(outcome);
  const size_t found = outcome.errors.rfind(kCollected);
  if (found == std::string::npos) return failed(outcome);
  Cost cost;
  cost.work = std::atof(outcome.errors.c_str() + found + kCollected.size());
  return cost;
}

Cost take_time(const std::string &measured) {
  const Outcome outcome = run_sh("exec " + measured);
  if (outcome.status != 0) return failed(outcome);
  Cost cost;
  cost.work = 1000 * outcome.sample.cpu;
  cost.peak_mib = outcome.sample.peak_mib;
  return cost;
}

}  // namespace

Cost measure(const std::string &line, Gauge gauge, int rounds) {
  const Line parts = split(line);
  Cost least;
  double spent = 0;
  for (int round = 0; round < rounds && spent < kEnough; ++round) {
    if (!parts.preparation.empty()) {
      const Outcome prepared = run_sh(parts.preparation + "true");
      if (prepared.status != 0) return failed(prepared);
    }
    const Cost cost = gauge == Gauge::instructions ? count_instructions(parts.measured)
                                                   : take_time(parts.measured);
    if (!cost.error.empty()) return cost;
    spent += gauge == Gauge::instructions ? kEnough : cost.work;
    const double peak = std::max(least.peak_mib, cost.peak_mib);
    if (round == 0 || cost.work < least.work) least = cost;
    least.peak_mib = peak;
  }
  return least;
}

Cost measure_memory(const std::string &line) { return measure(line, Gauge::milliseconds, 1); }

bool has_callgrind() { return run_sh("valgrind --tool=callgrind --version").status == 0; }

}  // namespace bench
