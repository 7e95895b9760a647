// MaRCO fig. 8: jobs whose workers are killed. And what workers cost that may be killed.
#include "stats_text.h"
#include "workshop.h"

#include <fmt/format.h>

namespace bench {
namespace {

struct Job {
  const char *words, *input;
};
constexpr Job kJobs[] = {
    {"wordcount", "books300.txt"},
    {"wordcount", "zipf300.txt"},
    {"count -k path", "access500.log"},
    {"stats -k path -a count,sum:bytes", "access500.log"},
    {"stats -k path -a p95:bytes", "access500.log"},
    {"distinct -k ip", "access500.log"},
    {"index", "books300.txt"},
};

// The youngest worker is killed each time that so many seconds have passed.
Command with_kills(const Command &job, const char *seconds) {
  Command command = job;
  const std::string script = fmt::format(
      "\"$@\" & job=$!; while kill -0 $job 2>/dev/null; do sleep {}; pkill -KILL -n -P $job; done; "
      "wait $job",
      seconds);
  command.argv.insert(command.argv.begin(), {"sh", "-c", script, "sh"});
  return command;
}

std::string deaths_of(const Alternative &a) {
  return line_of(a.outcomes.back().errors, "workers").value_or("");
}

void run_faults(Workshop *shop) {
  for (const auto &[words, input] : kJobs) {
    const auto file = shop->input(input);
    if (!file) continue;
    Contest contest(fmt::format("{}: {}", words, describe_file(*file)));
    contest.remark("deaths, in the last round", deaths_of);
    const Command threads = shop->mrc(std::string(words) + " --stats", *file);
    const Command isolated = shop->mrc(std::string(words) + " --isolate --stats", *file);
    contest.add("threads", threads);
    contest.add("processes", isolated);
    contest.add("a kill each 100 ms", with_kills(isolated, "0.1"));
    contest.add("a kill each 20 ms", with_kills(isolated, "0.02"));
    contest.run(shop->rounds());
  }
}

}  // namespace

const Experiment kFaults = {
    "marco", "faults", "worker processes, and what their deaths cost (MaRCO fig. 8)", run_faults};

}  // namespace bench
