#include "stats_text.h"

#include <cstdio>
#include <sstream>

namespace bench {

std::vector<PhaseFigures> phases_of(const std::string &stats) {
  std::vector<PhaseFigures> phases;
  std::istringstream lines(stats);
  bool table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("phase ")) {
      table = true;
      continue;
    }
    if (!table) continue;
    char name[64];
    PhaseFigures p;
    if (std::sscanf(line.c_str(), "%63s %lf %lf %lf %lf%%", name, &p.wall_ms, &p.user_ms,
                    &p.system_ms, &p.idle_percent) != 5) {
      break;
    }
    p.name = name;
    phases.push_back(p);
    if (p.name == "all") break;
  }
  return phases;
}

std::vector<PhaseFigures> phases_of(const Alternative &a) {
  std::vector<std::vector<PhaseFigures>> rounds;
  for (const Outcome &outcome : a.outcomes) rounds.push_back(phases_of(outcome.errors));
  if (rounds.empty()) return {};
  std::vector<PhaseFigures> medians = rounds[0];
  for (size_t i = 0; i < medians.size(); ++i) {
    for (double PhaseFigures::*figure : {&PhaseFigures::wall_ms, &PhaseFigures::user_ms,
                                         &PhaseFigures::system_ms, &PhaseFigures::idle_percent}) {
      std::vector<double> values;
      for (const auto &round : rounds) {
        if (i < round.size()) values.push_back(round[i].*figure);
      }
      medians[i].*figure = median(std::move(values));
    }
  }
  return medians;
}

std::optional<std::string> line_of(const std::string &stats, const std::string &word) {
  std::istringstream lines(stats);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(word + " ")) continue;
    const size_t text = line.find_first_not_of(' ', word.size());
    return text == line.npos ? "" : line.substr(text);
  }
  return std::nullopt;
}

}  // namespace bench
