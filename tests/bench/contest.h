// Alternatives that are run in turn and must give the same answer.
//
// The first turn checks: the bytes that an alternative prints are compared with those of
// the first one, and what it says about unknown options tells whether the binary knows
// it. Then follow the rounds that count. In each all alternatives run once, so that a
// machine that slows down slows all of them. What takes more than ten seconds runs in
// three rounds at most, what takes more than a minute in one.
#pragma once

#include "process.h"

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Alternative {
  std::string name;
  Command command;
  std::string absent = {};  // why there are no figures
  bool differs = false;     // it gave another answer
  std::vector<Sample> samples = {};
  std::vector<Outcome> outcomes = {};  // of the same rounds

  bool ran() const { return !samples.empty(); }
  double wall() const { return median_of(&Sample::wall); }
  double median_of(double Sample::*figure) const;
};

// Medians over rounds of quotients of the same round.
double ratio(const Alternative &a, const Alternative &b, double Sample::*figure);

enum class Against { first, best };

class Contest {
 public:
  explicit Contest(std::string title) : title_(std::move(title)) {}

  // Another column: its head, and what it says of an alternative that ran.
  void remark(std::string head, std::function<std::string(const Alternative &)> text) {
    remark_ = {std::move(head), std::move(text)};
  }
  void add(std::string name, Command command) {
    all_.push_back({std::move(name), std::move(command)});
  }
  // They do not do the same: answers are not compared.
  void allow_differences() { differences_allowed_ = true; }
  // The rounds, and a table of medians, in proportion to the first or the best one.
  // Does nothing if $MRC_BENCH_ONLY is set and not part of the title.
  void run(int rounds, Against against = Against::first);

  const std::vector<Alternative> &all() const { return all_; }
  // By wall time, from the one at `from` on; nullptr if none ran.
  const Alternative *best(size_t from = 0) const;

 private:
  void check();
  void play(int rounds);
  void print(const Alternative *base) const;

  std::string title_;
  bool differences_allowed_ = false;
  std::vector<Alternative> all_;
  std::pair<std::string, std::function<std::string(const Alternative &)>> remark_;
};

// Whether any two alternatives of a contest differed, or one failed.
bool any_contest_failed();

}  // namespace bench
