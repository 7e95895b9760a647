// compare [-n ROUNDS] TITLE NAME COMMAND [NAME COMMAND]...: times whole processes.
//
// The commands run in turn, round after round, so that a machine that slows down
// slows all of them. Each is a line of sh; its output goes to /dev/null unless it says
// otherwise. Prints for each the median wall time, CPU time (user and system) and peak
// memory of its largest process, and the median over rounds of its wall and CPU time
// divided by those of the first command. A command that takes more than ten seconds
// runs in the first three rounds only.
#include "process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using bench::median;
using bench::Sample;

struct Contestant {
  std::string name, command;
  std::vector<Sample> samples;
};

Sample run(const std::string &command) {
  const bench::Outcome outcome = bench::run({{"sh", "-c", command}});
  fmt::print(stderr, "{}", outcome.errors);
  if (outcome.status != 0) {
    fmt::print(stderr, "compare: failed: {}\n", command);
    std::exit(1);
  }
  return outcome.sample;
}

double median_of(const Contestant &c, double Sample::*figure) {
  std::vector<double> values;
  for (const Sample &sample : c.samples) values.push_back(sample.*figure);
  return median(std::move(values));
}

double median_ratio(const Contestant &c, const Contestant &first, double Sample::*figure) {
  std::vector<double> ratios;
  for (size_t i = 0; i < c.samples.size(); ++i) {
    ratios.push_back(c.samples[i].*figure / first.samples[i].*figure);
  }
  return median(std::move(ratios));
}

}  // namespace

int main(int argc, char **argv) {
  size_t rounds = 7;
  int at = 1;
  if (argc > 3 && std::string(argv[1]) == "-n") {
    rounds = static_cast<size_t>(std::max(1, std::atoi(argv[2])));
    at = 3;
  }
  if (argc - at < 3 || (argc - at) % 2 == 0) {
    fmt::print(stderr, "usage: compare [-n ROUNDS] TITLE NAME COMMAND [NAME COMMAND]...\n");
    return 2;
  }
  const std::string title = argv[at++];
  std::vector<Contestant> contestants;
  for (; at + 1 < argc; at += 2) contestants.push_back({argv[at], argv[at + 1], {}});

  for (const Contestant &c : contestants) run(c.command);  // warm: page cache, code
  for (size_t round = 0; round < rounds; ++round) {
    for (Contestant &c : contestants) {
      if (round >= 3 && c.samples[0].wall > 10) continue;
      c.samples.push_back(run(c.command));
    }
  }
  fmt::print("{}\n  {:<28}{:>9}{:>9}{:>10}{:>8}{:>8}\n", title, "", "wall s", "CPU s", "peak MiB",
             "x wall", "x CPU");
  for (const Contestant &c : contestants) {
    fmt::print("  {:<28}{:>9.3f}{:>9.3f}{:>10.1f}{:>8.2f}{:>8.2f}\n", c.name,
               median_of(c, &Sample::wall), median_of(c, &Sample::cpu),
               median_of(c, &Sample::peak_mib), median_ratio(c, contestants[0], &Sample::wall),
               median_ratio(c, contestants[0], &Sample::cpu));
  }
  std::fflush(stdout);
  return 0;
}
