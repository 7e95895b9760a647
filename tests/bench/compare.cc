// compare [-n ROUNDS] [-f FILTER] [-u NAME]... [-U] TITLE NAME COMMAND [NAME COMMAND]...:
// times whole processes, and compares their answers.
//
// Each command is a line of sh. First each runs once, which warms the page cache, and its answer
// must be that of the first command, else the exit status is 1. Answers are compared as FILTER
// leaves them, another line of sh, which is printed with the title. The answer of NAME (-u), or
// any answer (-U), is not compared: that is printed as well.
//
// Then the commands run in turn, round after round, so that a machine that slows down slows all
// of them; what they print goes to /dev/null unless they say otherwise. Prints for each the
// median wall time, CPU time (user and system) and peak memory of its largest process, and the
// median over rounds of its wall and CPU time divided by those of the first command. A command
// that takes more than ten seconds runs in the first three rounds only.
#include "process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using bench::median;
using bench::Outcome;
using bench::Sample;

struct Contestant {
  std::string name, command;
  bool compared = true;
  std::vector<Sample> samples;
};

struct Comparison {
  size_t rounds = 7;
  std::string title, filter;
  std::vector<std::string> unlike;  // names; their answers are not compared
  bool all_unlike = false;
  std::vector<Contestant> contestants;
};

[[noreturn]] void refuse() {
  fmt::print(stderr,
             "usage: compare [-n ROUNDS] [-f FILTER] [-u NAME]... [-U] TITLE NAME COMMAND "
             "[NAME COMMAND]...\n");
  std::exit(2);
}

Comparison parse(int argc, char **argv) {
  Comparison asked;
  for (int option; (option = getopt(argc, argv, "+n:f:u:U")) != -1;) {
    switch (option) {
      case 'n': asked.rounds = static_cast<size_t>(std::max(1, std::atoi(optarg))); break;
      case 'f': asked.filter = optarg; break;
      case 'u': asked.unlike.emplace_back(optarg); break;
      case 'U': asked.all_unlike = true; break;
      default: refuse();
    }
  }
  if (argc - optind < 3 || (argc - optind) % 2 == 0) refuse();
  asked.title = argv[optind++];
  for (; optind + 1 < argc; optind += 2) {
    Contestant one{argv[optind], argv[optind + 1], !asked.all_unlike, {}};
    if (std::ranges::count(asked.unlike, one.name) > 0) one.compared = false;
    asked.contestants.push_back(std::move(one));
  }
  return asked;
}

Outcome run(const std::vector<std::string> &argv, bool check) {
  Outcome outcome = bench::run({argv}, check);
  fmt::print(stderr, "{}", outcome.errors);
  if (outcome.status != 0) {
    fmt::print(stderr, "compare: failed: {}\n", argv.back());
    std::exit(1);
  }
  return outcome;
}

Sample time(const Contestant &c) { return run({"sh", "-c", c.command}, false).sample; }

// bash, for its pipefail: a filter must not hide that the command fails.
Outcome answer_of(const Contestant &c, const std::string &filter) {
  if (filter.empty()) return run({"sh", "-c", c.command}, true);
  return run(
      {"bash", "-o", "pipefail", "-c", fmt::format("{{ {}\n}} | {{ {}\n}}", c.command, filter)},
      true);
}

// Runs each once. False if the answers that are compared differ.
bool agree(const Comparison &asked) {
  const Contestant *first = nullptr;
  Outcome expected;
  bool all = true;
  for (const Contestant &c : asked.contestants) {
    const Outcome found = answer_of(c, asked.filter);
    if (!c.compared) continue;
    if (first == nullptr) {
      first = &c;
      expected = found;
    } else if (found.checksum != expected.checksum || found.bytes != expected.bytes) {
      all = false;
      fmt::print(stderr, "compare: {}: ANOTHER ANSWER: {} prints {} bytes, {} prints {}{}\n",
                 asked.title, first->name, expected.bytes, c.name, found.bytes,
                 asked.filter.empty() ? "" : " after: " + asked.filter);
    }
  }
  return all;
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

std::string what_is_compared(const Comparison &asked) {
  if (asked.all_unlike) return "different work: answers are not compared";
  std::string text =
      asked.filter.empty() ? "the same bytes" : "the same bytes after: " + asked.filter;
  for (const std::string &name : asked.unlike) text += "; not compared: " + name;
  return text;
}

void print_table(const Comparison &asked) {
  fmt::print("{}\n  ({})\n  {:<28}{:>9}{:>9}{:>10}{:>8}{:>8}\n", asked.title,
             what_is_compared(asked), "", "wall s", "CPU s", "peak MiB", "x wall", "x CPU");
  const Contestant &first = asked.contestants[0];
  for (const Contestant &c : asked.contestants) {
    fmt::print("  {:<28}{:>9.3f}{:>9.3f}{:>10.1f}{:>8.2f}{:>8.2f}\n", c.name,
               median_of(c, &Sample::wall), median_of(c, &Sample::cpu),
               median_of(c, &Sample::peak_mib), median_ratio(c, first, &Sample::wall),
               median_ratio(c, first, &Sample::cpu));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
  Comparison asked = parse(argc, argv);
  if (!agree(asked)) return 1;
  for (size_t round = 0; round < asked.rounds; ++round) {
    for (Contestant &c : asked.contestants) {
      if (round >= 3 && c.samples[0].wall > 10) continue;
      c.samples.push_back(time(c));
    }
  }
  print_table(asked);
  return 0;
}
