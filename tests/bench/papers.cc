// papers BUILD [EXPERIMENT...]: reruns the experiments of the papers on mrc.
// tests/README.md lists them and tells where inputs come from.
#include "workshop.h"

#include <fmt/format.h>

#include <cstdlib>

namespace bench {
namespace {

const Experiment *const kExperiments[] = {
    &kContainers,    &kLadder,       &kPrediction, &kTiles,       &kFootprint,   &kPipeline,
    &kSweep,         &kBuckets,      &kSplits,     &kReading,     &kAllocators,  &kEager,
    &kEagerControls, &kSpillingSort, &kSchedule,   &kFingerprint, &kMemory,      &kBudget,
    &kSort,          &kScaling,      &kLaw,        &kCheckpoint,  &kIncremental, &kEdits,
    &kInterim,       &kTop,          &kFaults,
};

bool chosen(const Experiment &experiment, const std::string &name) {
  return name == experiment.name || name == experiment.group;
}

int usage() {
  fmt::print(stderr, "usage: papers BUILD [EXPERIMENT...]\nexperiments, and groups of them:\n");
  for (const Experiment *experiment : kExperiments) {
    fmt::print(stderr, "  {:<10}{:<15}{}\n", experiment->group, experiment->name,
               experiment->shows);
  }
  return 2;
}

bool known(const std::string &name) {
  for (const Experiment *experiment : kExperiments) {
    if (chosen(*experiment, name)) return true;
  }
  return false;
}

int run_all(const std::string &build, const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    if (!known(name)) return usage();
  }
  Workshop shop(build);
  for (const Experiment *experiment : kExperiments) {
    bool wanted = names.empty();
    for (const std::string &name : names) wanted |= chosen(*experiment, name);
    if (!wanted) continue;
    fmt::print("=== {}: {}\n", experiment->name, experiment->shows);
    experiment->run(&shop);
  }
  shop.print_missing();
  return any_contest_failed() ? 1 : 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char **argv) {
  if (argc < 2) return bench::usage();
  setenv("LC_ALL", "C", 1);  // of the programs of others
  return bench::run_all(argv[1], {argv + 2, argv + argc});
}
