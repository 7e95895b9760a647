// What all experiments share: the binary, the inputs, the settings.
#pragma once

#include "contest.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bench {

class Workshop {
 public:
  // BUILD is the folder of the build; MRC_BENCH_DATA, MRC_BENCH_ROUNDS, MRC_BENCH_ROWS and
  // MRC_BENCH_SECONDS are read from the environment.
  explicit Workshop(const std::string &build);

  int rounds() const { return rounds_; }
  i64 rows() const { return rows_; }
  int threads() const { return threads_; }
  const std::string &build() const { return build_; }
  const std::string &scratch() const { return scratch_; }  // a folder for what is generated

  // `mrc WORDS FILE`, or that of another build; words are separated by blanks.
  Command mrc(const std::string &words, const std::string &file) const;
  // Any program.
  Command program(const std::string &words) const;

  // The path of an input. From $MRC_BENCH_DATA, or else a smaller one of the same kind is
  // generated; nothing if that fails.
  std::optional<std::string> input(const std::string &name);
  // Generates one by a program of tests/bench: KIND and the arguments that follow it.
  std::optional<std::string> generate(const std::string &name, const std::string &how,
                                      const std::string &by = "generate");
  // rows() lines; HOW is "DISTINCT SKEW" of `generate keys`. Remove it after use.
  std::optional<std::string> keys(const std::string &how);
  void remove(const std::string &path) const;

  // Names what was generated, and what was not there: for the end.
  void print_missing() const;
  // A program to compare with: from $MRC_BENCH_DATA/bin, or on PATH.
  std::optional<std::string> tool(const std::string &name);

 private:
  std::string build_, scratch_, data_;
  int rounds_, threads_, seconds_;
  i64 rows_;
  std::set<std::string> generated_, missing_;
};

std::vector<std::string> split_words(const std::string &text);
// "books300.txt, 300 MB"
std::string describe_file(const std::string &path);

// An experiment prints its tables. `group` names several at once.
struct Experiment {
  const char *group, *name, *shows;
  void (*run)(Workshop *shop);
};

// experiments/*.cc
extern const Experiment kContainers, kLadder, kPrediction, kTiles, kFootprint, kPipeline, kSweep,
    kBuckets, kSplits, kReading, kAllocators, kEager, kEagerControls, kSpillingSort, kSchedule,
    kFingerprint, kMemory, kBudget, kSort, kScaling, kLaw, kCheckpoint, kIncremental, kEdits,
    kInterim, kTop, kFaults;

}  // namespace bench
