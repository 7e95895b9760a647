// The law of scaling: what the work of each phase is with more and more workers, and from that the
// time that as many CPUs would take.
#include "stats_text.h"
#include "workshop.h"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

// Phases in which one worker works.
bool is_serial(const PhaseFigures &phase) { return phase.name == "sample" || phase.name == "open"; }

// Without the time of the system, which depends on how soon it gets memory from elsewhere: on a
// virtual machine the same job takes 0.3 s of it, or 2.5 s.
double work_of(const PhaseFigures &phase) { return phase.user_ms; }

// With as many CPUs as workers: each phase takes its work, in equal parts. What CPUs would wait
// for each other, for memory and for input is not in it.
double projected_ms(const std::vector<PhaseFigures> &phases, int workers) {
  double ms = 0;
  for (const PhaseFigures &phase : phases) {
    if (phase.name == "all") continue;
    ms += is_serial(phase) ? phase.wall_ms : work_of(phase) / workers;
  }
  return ms;
}

void print_law(const Contest &contest, const std::vector<int> &workers) {
  if (!contest.all()[0].ran()) return;
  const std::vector<PhaseFigures> one = phases_of(contest.all()[0]);
  fmt::print("  {:<8}{:>10}{:>10}{:>10}{:>14}{:>10}{:>12}  work of phases, ms\n", "workers", "work",
             "system ms", "MiB", "projected ms", "times", "efficiency");
  for (size_t i = 0; i < workers.size(); ++i) {
    const Alternative &a = contest.all()[i];
    if (!a.ran()) continue;
    const std::vector<PhaseFigures> phases = phases_of(a);
    const double ms = projected_ms(phases, workers[i]);
    const double times = projected_ms(one, 1) / ms;
    fmt::print("  {:<8}{:>10.2f}{:>10.0f}{:>10.0f}{:>14.1f}{:>10.1f}{:>11.0f}%  ", workers[i],
               work_of(phases.back()) / work_of(one.back()), phases.back().system_ms,
               a.median_of(&Sample::peak_mib), ms, times, 100 * times / workers[i]);
    for (const PhaseFigures &phase : phases) {
      if (phase.name != "all") fmt::print("{} {:.0f}  ", phase.name, work_of(phase));
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

void run_law(Workshop *shop) {
  const struct {
    const char *job, *file;
  } jobs[] = {{"wordcount", "books300.txt"}, {"wordcount", "zipf300.txt"},
              {"count", "few100.txt"},       {"stats -d ; -k 1 -a mean:2", "stations.txt"},
              {"index", "many100.txt"},      {"sort", "tera1g.txt"}};
  const std::vector<int> workers = {1, 2, 8, 16, 64, 256};
  for (const auto &job : jobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    Contest contest(fmt::format("{}: {}", job.job, describe_file(*file)));
    for (const int each : workers) {
      contest.add(fmt::format("-j{}", each),
                  shop->mrc(fmt::format("{} --stats -j{}", job.job, each), *file));
    }
    contest.run(shop->rounds());
    print_law(contest, workers);
  }
}

}  // namespace

const Experiment kLaw = {"scaling", "law", "the work of 1 to 256 workers, and what it projects",
                         run_law};

}  // namespace bench
